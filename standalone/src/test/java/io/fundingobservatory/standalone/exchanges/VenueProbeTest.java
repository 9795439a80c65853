package io.fundingobservatory.standalone.exchanges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.standalone.terminal.Stop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class VenueProbeTest {
    @Test
    void unreadableHistoryKeysAreOneProblem() throws InterruptedException {
        assertEquals(
                List.of("its responses are not as documented: unreadable_market"),
                probed(responses -> {
                            throw Skip.unreadable("market");
                        })
                        .problems());
        assertEquals(
                List.of("its poll broke off: java.lang.IllegalStateException: keys"),
                probed(responses -> {
                            throw new IllegalStateException("keys");
                        })
                        .problems());
    }

    @Test
    void brokenProbeIsProblemOfItsVenue() throws InterruptedException {
        Venue kraken = Objects.requireNonNull(Registry.find("kraken"));
        ProbeResult result =
                ProbeOptions.result(kraken, CompletableFuture.failedFuture(new IllegalStateException("bug")));
        assertEquals("kraken", result.venue());
        assertEquals(List.of("a probe broke off: java.lang.IllegalStateException: bug"), result.problems());
        var unwritable = new UncheckedIOException("cannot write below out", new IOException("disk full"));
        assertThrows(Stop.class, () -> ProbeOptions.result(kraken, CompletableFuture.failedFuture(unwritable)));
    }

    private static ProbeResult probed(Function<VenueResponses, Map<String, String>> keys) throws InterruptedException {
        try (ExchangeAccess access = ExchangeAccess.simulated()) {
            ProbeResult result =
                    new VenueProbe(kraken(keys), access.exchanges(), null).probe(Duration.ofSeconds(10), 1);
            assertTrue(result.rows() > 50, result::toString);
            return result;
        }
    }

    /** The venue with other keys of its settled rates. */
    private static Venue kraken(Function<VenueResponses, Map<String, String>> keys) {
        Venue kraken = Objects.requireNonNull(Registry.find("kraken"));
        VenueSpec spec = kraken.spec();
        List<History> history = Objects.requireNonNull(spec.history()).stream()
                .map(endpoint -> endpoint.keys(keys))
                .toList();
        var other = new VenueSpec(
                spec.id(),
                spec.docs(),
                spec.rateKind(),
                spec.limits(),
                spec.throttles(),
                spec.bans(),
                spec.waits(),
                spec.largestMb(),
                spec.requests(),
                history,
                spec.bulkHistory());
        return new Venue() {
            @Override
            public VenueSpec spec() {
                return other;
            }

            @Override
            public void read(VenueResponses responses, Rows rows) {
                kraken.read(responses, rows);
            }
        };
    }
}
