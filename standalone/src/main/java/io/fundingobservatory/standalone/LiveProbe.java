package io.fundingobservatory.standalone;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds out whether any exchange can be reached from here: one small request to each of a few, once. */
final class LiveProbe {
    private static final List<URI> TIME_ADDRESSES = List.of(
            URI.create("https://fapi.binance.com/fapi/v1/time"),
            URI.create("https://www.okx.com/api/v5/public/time"),
            URI.create("https://indexer.dydx.trade/v4/time"));

    private final List<URI> addresses;
    private final Duration patience;

    LiveProbe() {
        this(TIME_ADDRESSES, Duration.ofSeconds(3));
    }

    LiveProbe(List<URI> addresses, Duration patience) {
        this.addresses = addresses;
        this.patience = patience;
    }

    /** True as soon as one of them answers with success; false when none has within the patience. */
    boolean anyAnswers() throws InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(patience).build()) {
            var first = new CompletableFuture<Boolean>();
            CompletableFuture<?>[] asked = addresses.stream()
                    .map(address -> client.sendAsync(
                                    HttpRequest.newBuilder(address)
                                            .timeout(patience)
                                            .build(),
                                    BodyHandlers.discarding())
                            .thenAccept(answer -> {
                                if (answer.statusCode() == 200) {
                                    first.complete(true);
                                }
                            })
                            .exceptionally(unreachable -> null))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture<Boolean> all = CompletableFuture.allOf(asked).thenApply(done -> first.getNow(false));
            Object any = CompletableFuture.anyOf(first, all).get(patience.toMillis() + 500, TimeUnit.MILLISECONDS);
            client.shutdownNow();
            return Boolean.TRUE.equals(any);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
