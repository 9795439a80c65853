package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The topic of quotes is deleted: streams ends with one line, and the gateway keeps its last snapshot with its age. The topic is created
 * again, and streams is started.
 */
public final class TopicGone implements Fault {
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

    @Override
    public String id() {
        return "F17";
    }

    @Override
    public String what() {
        return "input topic deleted, created again empty";
    }

    @Override
    public Duration recoveryBound() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Layout layout() {
        return Layout.OWN;
    }

    @Override
    public void play(Path folder, long seed, Played played) throws Exception {
        try (var on = new Installation(folder, seed, Installation.Plan.of(1))) {
            String topic = Topics.QUOTES_RAW.name();
            int before = on.probe().last().contracts().size();
            long since = System.nanoTime();
            on.kafka().admin().deleteTopics(List.of(topic)).all().get();
            played.fired(topic + " deleted");
            played.require(
                    Await.within(ENDS_WITHIN, () -> !on.streams().isAlive()), "streams goes on without " + topic);
            played.require(
                    on.streams().hasLogged("topics [" + topic + "] are missing"), "no line names the missing topic");
            played.note("streams ended after "
                    + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
            TopicCreation.ensure(on.kafka().admin(), (short) 1);
            long recreated = System.nanoTime();
            on.streams().restart();
            on.probe().awaitWhole(Duration.ofSeconds(10));
            int after = on.probe().last().contracts().size();
            played.require(after == before, "the gateway shows " + after + " rows, before " + before);
            awaitFlow(on, recreated, played);
            on.probe().awaitWhole(Duration.ofSeconds(10));
            for (String how : on.listInvariants()) {
                played.wrong(how);
            }
        }
    }

    /** As an operator's restart rule would have it: a process that has ended is started again. */
    private static void awaitFlow(Installation on, long since, Played played) throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            if (on.awaitFlow(Duration.ofSeconds(20))) {
                played.recovered(since);
                return;
            }
            if (!on.streams().isAlive()) {
                on.streams().restart();
            }
        }
        played.recovers().never(on.flowState());
    }
}
