package io.fundingobservatory.faults.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Reads the metrics of a service at its management port. */
public final class Prometheus {
    private Prometheus() {}

    /** How many records streams has read from the changelog of a store since its start. */
    public static long restored(JavaProcess streams, String store) throws IOException, InterruptedException {
        return sum(streams, "observatory_streams_records_restored_total{store=\"" + store);
    }

    private static long sum(JavaProcess service, String series) throws IOException, InterruptedException {
        String port = service.spec().environment().get(Services.MANAGEMENT_PORT);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String body = client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            return body.lines()
                    .filter(line -> line.startsWith(series))
                    .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                    .sum();
        }
    }
}
