package io.fundingobservatory.faults.scenarios;

import io.fundingobservatory.process.JavaProcess;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.standalone.brokers.StreamsReset;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * While two instances of streams are stopped, the changelog of the ledger or all topics of {@code pairs} are deleted. Both start:
 * {@code pairs} waits for a reset and rates go on. The reset is interrupted after one of its steps and repeated. Then both start at
 * once, and one is killed while settlements are published again. Three seeds in a row interrupt it after each step.
 */
public final class StateLost {
    private static final Duration REPORTED_WITHIN = Duration.ofMinutes(2);
    private static final Duration FLOWS_WITHIN = Duration.ofMinutes(5);
    private static final Duration COMPUTED_WITHIN = Duration.ofMinutes(15);

    /** Of 200 contracts, 18,000 settlements are published: one commit does not publish all. */
    private static final int CONTRACTS = 200;

    /** Few: the ledger is judged, not throughput. */
    private static final int QUOTES_PER_SECOND = 100;

    /** Steps of a reset after which it can be interrupted. */
    private static final int STEPS = 3;

    private static final String LINE = "pairs is stopped";

    /** Ends a reset after one of its steps. */
    private static final class Interruption extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private StateLost() {}

    public static void play(Path folder, long seed, Played played) throws Exception {
        var random = new Random(seed);
        var plan = Installation.Plan.of(1)
                .sending(QUOTES_PER_SECOND)
                .settling(CONTRACTS)
                .streams(StateLost::waiting);
        try (var on = new Installation(folder, seed, plan)) {
            var second = on.start(waiting(on.secondStreams()));
            JavaProcess killed = Math.floorMod(seed, 2) == 0 ? on.streams() : second;
            long part = (long) (0.9 * random.nextDouble() * on.publishedSettlements());
            lose(on, second, random.nextBoolean(), 1 + Math.floorMod(seed, STEPS), killed, part, played);
        }
    }

    /**
     * Loses state, resets it and starts again.
     *
     * @param all topics of {@code pairs}, or that of the ledger
     * @param steps of the reset until its interruption
     * @param part of the settlements that are published again before the kill
     */
    private static void lose(
            Installation on, JavaProcess second, boolean all, int steps, JavaProcess killed, long part, Played played)
            throws Exception {
        JavaProcess first = on.streams();
        played.require(on.awaitFlow(FLOWS_WITHIN), "no flow with two instances");
        String corrected = on.correctSettlement();
        played.require(on.awaitTable(corrected, FLOWS_WITHIN), "no table of a corrected settlement");
        stop(first, second);
        played.fired(delete(on, all) + " topics deleted");

        int reported = start(first, second);
        played.require(on.awaitFlow(FLOWS_WITHIN), "rates do not go on without the state of pairs");
        awaitLine(played, first, second, reported);
        stop(first, second);

        reset(on, steps, played);
        reported = start(first, second);
        awaitLine(played, first, second, reported);
        stop(first, second);

        reset(on, Integer.MAX_VALUE, played);
        on.expectRepeats();
        long before = on.publishedSettlements();
        long since = System.nanoTime();
        start(first, second);
        played.require(
                Await.within(FLOWS_WITHIN, () -> on.publishedSettlements() > before + part),
                "settlements are not published again");
        killed.kill();
        played.note(killed.name() + " killed after " + (on.publishedSettlements() - before) + " settlements");
        killed.restart();
        played.require(on.awaitFlow(FLOWS_WITHIN), "no flow after the reset: " + on.flowState());
        if (on.awaitAllTables(COMPUTED_WITHIN)) {
            played.recovered(since);
        } else {
            played.never("a table lacks a settlement after the reset");
        }
        if (on.partialTable() != null) {
            // Nothing is wrong for good: while nothing comes for a minute, tables cannot know that more will.
            played.note("a table of a part was published first: " + on.partialTable());
        }
        on.settle();
        played.check(on.invariants());
    }

    /** As long as operators' tables wait: none is then published of a part of the settlements. */
    private static JavaProcess.Spec waiting(JavaProcess.Spec streams) {
        return streams.with("OBSERVATORY_STREAMS_TABLES_WAIT", "60s");
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

    private static int delete(Installation on, boolean all) throws Exception {
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
