package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.invariants.Invariant;
import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.brokers.StreamsReset;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * While two instances of streams are stopped, the changelog of the ledger is deleted, with even seeds all topics of {@code pairs}. Both
 * start: {@code pairs} waits for a reset and rates go on. The reset is interrupted after one of its steps and repeated; then both start
 * at once, and one is killed amid the reset.
 */
public final class StateLost implements Fault {
    private static final Duration REPORTED_WITHIN = Duration.ofMinutes(2);
    private static final Duration COMPUTED_WITHIN = Duration.ofMinutes(15);

    /** So many that nearly every table has to be computed again. */
    private static final int CORRECTIONS = 20;

    private static final String LINE = "pairs is stopped";

    /** Ends a reset after one of its steps. */
    private static final class Interruption extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public String id() {
        return "F18";
    }

    @Override
    public String what() {
        return "state of pairs deleted, reset, two instances";
    }

    @Override
    public Duration recoveryBound() {
        return COMPUTED_WITHIN;
    }

    @Override
    public Layout layout() {
        return Layout.OWN;
    }

    @Override
    public void play(Path folder, long seed, Played played) throws Exception {
        var random = new Random(seed);
        try (var on = new Installation(folder, seed, Installation.Plan.of(1))) {
            JavaProcess first = on.streams();
            JavaProcess second = on.start(on.secondStreams());
            played.require(on.awaitFlow(COMPUTED_WITHIN), "no flow with two instances");
            stop(first, second);
            played.fired(lose(on, seed % 2 == 0) + " topics deleted");

            int reported = start(first, second);
            played.require(on.awaitFlow(REPORTED_WITHIN), "rates do not go on without the state of pairs");
            awaitLine(played, first, second, reported);
            stop(first, second);

            int steps = 1 + random.nextInt(3);
            reset(on, steps, played);
            reported = start(first, second);
            awaitLine(played, first, second, reported);
            stop(first, second);

            reset(on, Integer.MAX_VALUE, played);
            on.settlementsRepeat();
            long since = System.nanoTime();
            start(first, second);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(15_000));
            JavaProcess killed = random.nextBoolean() ? first : second;
            killed.kill();
            killed.restart();
            played.note(killed.name() + " killed, reset interrupted after step " + steps);
            played.awaitFlow(on, since);
            for (int i = 0; i < CORRECTIONS; i++) {
                on.correctSettlement();
            }
            played.require(on.awaitAllTables(COMPUTED_WITHIN), "a table lacks a settlement after the reset");
            played.note("all tables after "
                    + Duration.ofNanos(System.nanoTime() - since).toSeconds() + " s");
            on.settle();
            for (Invariant invariant : on.invariants()) {
                invariant.violations().forEach(how -> played.wrong(invariant.name() + ": " + how));
            }
        }
    }

    private static void stop(JavaProcess... instances) {
        for (JavaProcess each : instances) {
            each.terminate();
        }
    }

    /** Returns how often the line of lost state was logged before. */
    private static int start(JavaProcess first, JavaProcess second) {
        int logged = first.countLogged(LINE) + second.countLogged(LINE);
        first.restart();
        second.restart();
        return logged;
    }

    private static void awaitLine(Played played, JavaProcess first, JavaProcess second, int before)
            throws InterruptedException {
        boolean both =
                Await.within(REPORTED_WITHIN, () -> first.countLogged(LINE) + second.countLogged(LINE) >= before + 2);
        played.require(both, "an instance did not log that the state of pairs is lost");
        played.require(
                first.hasLogged("observatory reset pairs") && second.hasLogged("observatory reset pairs"),
                "the line does not name the command");
    }

    private static int lose(Installation on, boolean all) throws Exception {
        List<String> lost = on.kafka().admin().listTopics().names().get().stream()
                .filter(name -> name.startsWith(Topics.PAIRS_GROUP + '-'))
                .filter(name -> all || name.contains("-ledger-"))
                .toList();
        on.kafka().admin().deleteTopics(lost).all().get();
        return lost.size();
    }

    /** Up to so many steps. Static members leave when their session ends. */
    private static void reset(Installation on, int steps, Played played) throws InterruptedException {
        int[] done = {0};
        try (var reset = new StreamsReset(KafkaAccess.at(on.kafka().direct()), line -> {
            if (!line.startsWith("waiting") && ++done[0] == steps) {
                throw new Interruption();
            }
        })) {
            reset.pairs();
            played.require(steps > done[0], "the reset was not interrupted");
        } catch (Interruption e) {
            played.fired("reset interrupted after step " + steps);
        }
    }
}
