package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.ingest.venues.Registry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of a past that has been read is fetched again. */
class WholeHistoryTest extends VenuePollerFixture {
    private static final long HOUR = 3_600_000;

    private void hourly(String url, Duration story) {
        exchange = request -> request.name().startsWith("history_")
                ? json("{\"history\":[{\"at\":%d,\"rate\":\"0.0001\"}]}".formatted(time.nowMs() / HOUR * HOUR))
                : null;
        VenueSpec spec = spec().limit("api.example.com", 6000, 60)
                .request(Request.get("rates", HOST + "rates"))
                .history(History.get("history_{}", HOST + url, Paging.NONE, 1000))
                .build();
        poll(spec, story);
    }

    @Test
    void readsWholeHistoryEverySixHours() {
        hourly("history?s={key}", Duration.ofHours(25));
        List<Long> at = times("history_A");
        for (int i = 1; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) >= 6 * HOUR, at::toString);
        }
        assertTrue(at.size() >= 4, at::toString);
    }

    @Test
    void readsHistorySinceInstantAfterEachSettlement() {
        hourly("history?s={key}&from={from_ms}", Duration.ofHours(5));
        assertTrue(times("history_A").size() >= 5, () -> times("history_A").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kraken", "btse"})
    void theseSendTheirWholeHistory(String id) {
        assertTrue(histories(id).stream().noneMatch(History::canBeNarrowed));
    }

    @ParameterizedTest
    @ValueSource(strings = {"backpack", "pacifica", "toobit"})
    void requestsAsManyRowsAsMayBeNew(String id) {
        History history = histories(id).getFirst();
        assertTrue(history.canBeNarrowed());
        assertTrue(url(history, Duration.ofHours(3)).contains("limit=11"), url(history, Duration.ofHours(3)));
        assertTrue(
                url(history, Duration.ofDays(31)).contains("limit=" + history.maxRows()),
                url(history, Duration.ofDays(31)));
        assertEquals(1, histories(id).size());
    }

    private static String url(History history, Duration span) {
        long now = 1_790_000_000_000L;
        return VenueRequest.of(history, "A", now - span.toMillis(), now, 1, "").url();
    }

    private static List<History> histories(String id) {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        return Objects.requireNonNull(venue.spec().history());
    }
}
