package io.fundingobservatory.faults.scenarios.data;

import io.fundingobservatory.faults.process.JavaProcess;
import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A topic is deleted and created again, empty: with odd seeds one that the gateway reads, otherwise one that
 * streams reads. The gateway keeps its last snapshot with its age; streams reports the problem.
 */
public final class TopicGone implements Fault {
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(10);

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
            String topic = seed % 2 == 1 ? Topics.RATES_LATEST.name() : Topics.QUOTES_RAW.name();
            int before = on.probe().last().contracts().size();
            long since = System.nanoTime();
            on.kafka().admin().deleteTopics(List.of(topic)).all().get();
            played.fired(topic + " deleted");
            Await.within(REPORTED_WITHIN.multipliedBy(2), () -> !isHealthy(on.streams()));
            Duration reported = Duration.ofNanos(System.nanoTime() - since);
            played.note("streams unhealthy after " + reported.toMillis() + " ms");
            played.require(
                    reported.compareTo(REPORTED_WITHIN) <= 0,
                    "streams logged nothing for " + reported.toSeconds() + " s");
            TopicCreation.ensure(on.kafka().admin(), (short) 1);
            long recreated = System.nanoTime();
            if (!on.streams().isAlive()) {
                on.streams().restart();
            }
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

    private static boolean isHealthy(JavaProcess service) {
        String port = service.spec().environment().get("OBSERVATORY_MANAGEMENT_PORT");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health"))
                                            .timeout(Duration.ofSeconds(2))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
