package io.fundingobservatory.faults.scenarios.services;

import io.fundingobservatory.faults.scenarios.Fault;
import io.fundingobservatory.faults.scenarios.Installation;
import io.fundingobservatory.faults.scenarios.Played;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Streams is stopped in order under load and started again: its stores on disk are used as they are. */
public final class StreamsStopped implements Fault {
    @Override
    public String id() {
        return "F0";
    }

    @Override
    public String what() {
        return "streams stopped in order and started again";
    }

    @Override
    public Duration bound() {
        return Duration.ofSeconds(3);
    }

    @Override
    public void play(Installation on, Random random, Played played) throws Exception {
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(1_700));
        on.streams().terminate();
        played.fired("stopped");
        long since = System.nanoTime();
        on.streams().restart();
        played.awaitFlow(on, since, Duration.ofSeconds(60));
        List<String> restored = metrics(on)
                .lines()
                .filter(line -> line.startsWith("observatory_streams_records_restored_total"))
                .toList();
        played.require(!restored.isEmpty(), "the stores in memory are restored");
        for (String line : restored) {
            played.require(!line.contains("payments"), "a store on disk: " + line);
        }
    }

    private static String metrics(Installation on) throws Exception {
        String port = on.streams().spec().environment().get("OBSERVATORY_MANAGEMENT_PORT");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
