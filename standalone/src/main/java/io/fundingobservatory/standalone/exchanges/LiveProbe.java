package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds out whether exchanges can be reached from here. Sends the first request of each of eight, once, through the client that will
 * poll them. They are seated in different jurisdictions, so one country's blocking does not affect all.
 */
public final class LiveProbe {
    /** Identifiers of the venues that are probed. */
    public static final List<String> PROBED =
            List.of("binance", "okx", "bybit", "gate", "kraken", "deribit", "hyperliquid", "dydx");

    private final VenueClient exchanges;
    private final Duration patience;

    /** A probe through a client, which waits for 5 s. */
    public LiveProbe(VenueClient exchanges) {
        this(exchanges, Duration.ofSeconds(5));
    }

    LiveProbe(VenueClient exchanges, Duration patience) {
        this.exchanges = exchanges;
        this.patience = patience;
    }

    /** True as soon as one of them responds with values or a list; false when none has within the patience. */
    public boolean anyResponds() throws InterruptedException {
        var first = new CompletableFuture<Boolean>();
        var pending = new ArrayList<CompletableFuture<?>>();
        var threads = new ArrayList<Thread>();
        for (String id : PROBED) {
            Venue venue = Objects.requireNonNull(Registry.find(id));
            var done = new CompletableFuture<Boolean>();
            pending.add(done);
            threads.add(Thread.ofVirtual().name("probe-" + id).start(() -> {
                if (responds(venue)) {
                    first.complete(true);
                }
                done.complete(true);
            }));
        }
        CompletableFuture<Boolean> none = CompletableFuture.allOf(pending.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> first.getNow(false));
        try {
            return Boolean.TRUE.equals(
                    CompletableFuture.anyOf(first, none).get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private boolean responds(Venue venue) {
        Request request = venue.spec().requests().stream()
                .filter(r -> r.keys() == null)
                .findFirst()
                .orElseThrow();
        try {
            return exchanges.fetch(venue, VenueRequest.of(request, "", "")) instanceof FetchResult.Received;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
