package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.faults.invariants.NoHangingTransaction;
import io.fundingobservatory.faults.network.Link;
import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.process.Services;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Faults of the process of streams: stopped, killed, frozen, short of memory, started twice. */
public final class StreamsFaults {
    /** The request {@code EndTxn}. */
    static final int END_TXN = 26;

    /** The store on disk. */
    static final String LEDGER = "ledger";

    /** Pair tables gather changes for ten seconds before they are computed. */
    static final Duration GATHERING = Duration.ofSeconds(12);

    private static final String RATES = "application=observatory-streams state=";
    private static final String PAIRS = "application=observatory-pairs state=";
    private static final int FEW_DESCRIPTORS = 128;

    private StreamsFaults() {}

    /** Its stores on disk are used again. */
    public static void stopped(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_700));
        on.streams().terminate();
        played.fired("stopped");
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, Duration.ofSeconds(10));
        played.require(on.restored("contracts") > 0, "restored records are not counted");
        long restored = on.restored(LEDGER);
        played.require(restored == 0, restored + " records of the store on disk were restored");
    }

    public static void killed(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_700));
        long since = System.nanoTime();
        on.streams().kill();
        played.fired("killed, " + (isInTransaction(on) ? "a transaction open" : "between two transactions"));
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    /** Whether something is written on the output that no reader of committed records can see. */
    private static boolean isInTransaction(Installation on) throws InterruptedException, ExecutionException {
        return NoHangingTransaction.open(on.kafka().admin()).stream()
                .anyMatch(open -> open.startsWith(Topics.RATES_NORMALISED.name() + '-'));
    }

    /** Again before it has its stores back. */
    public static void killedRestoring(Installation on, Random random, Played played) throws Exception {
        on.streams().kill();
        on.streams().restart();
        // Until the client is in the group and takes its partitions, and a little further.
        Await.within(
                Duration.ofSeconds(30), () -> on.streams().lastLogged(RATES).contains("state=REBALANCING"));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
        long since = System.nanoTime();
        on.streams().kill();
        String state = on.streams().lastLogged(RATES);
        if (state.contains("state=REBALANCING")) {
            played.fired("killed before it was running");
        } else {
            played.note("it was running already: " + state);
        }
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    /** A second instance takes the partitions over, and the first one wakes up with an open transaction. */
    public static void frozen(Installation on, Random random, Played played) throws Exception {
        JavaProcess second = on.start(on.secondStreams());
        boolean runs = Await.within(
                Duration.ofSeconds(60),
                () -> List.of(RATES, PAIRS).stream()
                        .allMatch(state -> second.lastLogged(state).contains("state=RUNNING")));
        played.require(runs, "the second instance does not run");
        on.awaitFlow(Duration.ofSeconds(30));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        long since = System.nanoTime();
        on.streams().stop();
        played.fired("stopped");
        played.awaitFlow(on, since);
        TimeUnit.NANOSECONDS.sleep(since + Duration.ofSeconds(20).toNanos() - System.nanoTime());
        on.streams().resume();
        played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow after it woke up: " + on.flowState());
        // Back to one instance: its place in the group is kept until the session ends, and that takes 10 s.
        second.terminate();
        played.require(on.awaitFlow(Duration.ofSeconds(90)), "no flow after the second one left: " + on.flowState());
    }

    /**
     * Streams stops after its commit has left and before it reaches the broker, for longer than a transaction lasts. That is 6 s here,
     * and brokers look for expired ones every second. The broker has aborted the transaction when the commit arrives.
     */
    public static void frozenInCommit(Installation on, Random random, Played played) throws Exception {
        long pid = on.streams().pid();
        List<Link> links = on.kafka().links(Installation.STREAMS);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
        links.forEach(link -> link.hold(END_TXN));
        Await.within(Duration.ofSeconds(20), () -> links.stream().anyMatch(Link::holds));
        on.streams().stop();
        if (links.stream().anyMatch(Link::holds)) {
            played.fired("stopped with a commit under way");
        }
        TimeUnit.MILLISECONDS.sleep(8_000 + random.nextInt(4_000));
        String asset = on.correctSettlement();
        long since = System.nanoTime();
        on.streams().resume();
        links.forEach(Link::heal);
        played.awaitFlow(on, since);
        played.awaitPairs(on, asset, since, played.recoveryBound().plus(GATHERING));
        played.require(on.streams().pid() == pid && on.streams().isAlive(), "streams has ended");
    }

    /** It exits soon with a reason, and recovers when it has enough. */
    public static void squeezed(Installation on, Random random, Played played) throws Exception {
        on.streams().kill();
        boolean heap = random.nextBoolean();
        JavaProcess.Spec spec = on.streams().spec();
        JavaProcess process = on.start((heap ? spec.with("-Xmx28m") : spec.withDescriptors(FEW_DESCRIPTORS))
                .named("squeezed-" + random.nextInt(1_000_000)));
        Duration soon = Duration.ofSeconds(90);
        String how = "with " + (heap ? "28 MB" : FEW_DESCRIPTORS + " descriptors") + " it ";
        if (Await.within(soon, () -> !process.isAlive())) {
            played.fired(how + "ended");
            played.require(
                    process.hasLogged("OutOfMemoryError") || process.hasLogged("Too many open files"),
                    how + "did not log why it ended");
        } else {
            played.wrong(how + "was still there after " + soon);
        }
        process.kill();
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since);
    }

    /** The second one has another directory: one of them gives up with its reason. */
    public static void sameIdTwice(Installation on, Random random, Played played) throws Exception {
        String message = "another process runs under the same observatory.streams.instance-id";
        JavaProcess.Spec same = Services.streams(
                Installation.STREAMS,
                on.kafka().bootstrap(Installation.SECOND_STREAMS),
                on.folder().resolve("same-id-" + random.nextInt(1_000_000)));
        long since = System.nanoTime();
        int before = on.streams().countLogged(message);
        JavaProcess second = on.start(same.named("same-id"));
        Await.within(
                Duration.ofSeconds(60), () -> on.streams().countLogged(message) > before || second.hasLogged(message));
        if (on.streams().countLogged(message) > before) {
            played.fired("the first one gave up");
        } else if (second.hasLogged(message)) {
            played.fired("the second one gave up");
        }
        played.awaitFlow(on, since);
        // Whichever is left ends, and the first one runs alone as before.
        second.kill();
        on.streams().kill();
        on.streams().restart();
        played.require(on.awaitFlow(Duration.ofSeconds(60)), "no flow with one again: " + on.flowState());
    }
}
