package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.VenueRequest;
import io.fundingobservatory.ingest.venues.Registry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Other programs use the limit of our IP address as well: Binance counts all requests, 2,400 units of weight a minute. */
class RateLimitedClientTest {
    private static final VenueRequest RATES = request("https://fapi.binance.com/fapi/v1/premiumIndex");
    private static final VenueRequest HISTORY = request("https://fapi.binance.com/fapi/v1/fundingRate?symbol=BTCUSDT");

    private static final JsonValue EMPTY = empty();

    private final VirtualTime time = VirtualTime.shared(0, 1);
    private String used = "0";
    private final RateLimitedClient client = new RateLimitedClient(
            Objects.requireNonNull(Registry.find("binance")),
            (venue, request) -> new FetchResult.Received(EMPTY, time.nowMs(), Map.of("x-mbx-used-weight-1m", used)),
            time,
            RateLimitMode.PUBLISHED,
            IngestEvents.NONE);

    private static JsonValue empty() {
        try {
            return JsonValue.parse("[]".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static VenueRequest request(String url) {
        return new VenueRequest("request", "GET", url, null, 1, Map.of());
    }

    private FetchResult rates() throws InterruptedException {
        return client.send(RATES, "fapi_premiumIndex", TrafficClass.POLLS, Duration.ZERO);
    }

    private FetchResult history() throws InterruptedException {
        return client.send(HISTORY, "fapi_fundingRate_{}", TrafficClass.HISTORY, Duration.ZERO);
    }

    @Test
    void historyWaitsMinuteAtHalfOfLimit() throws InterruptedException {
        used = "1176";
        assertInstanceOf(FetchResult.Received.class, rates());
        assertInstanceOf(FetchResult.Received.class, history(), "49 %");
        used = "1200";
        assertInstanceOf(FetchResult.Received.class, rates());
        assertInstanceOf(FetchResult.NoAllowance.class, history(), "50 %");
        assertInstanceOf(FetchResult.Received.class, rates());
        used = "0";
        time.pass(Duration.ofSeconds(60));
        assertInstanceOf(FetchResult.Received.class, history());
    }

    @Test
    void pollsWaitWhenHardlyAnythingIsLeft() throws InterruptedException {
        used = "2160";
        assertInstanceOf(FetchResult.Received.class, rates());
        FetchResult.BackedOff backedOff = assertInstanceOf(FetchResult.BackedOff.class, rates());
        assertEquals("90 % of its limit is used by its own count, next request in 10 s", backedOff.reason());
        used = "0";
        time.pass(Duration.ofSeconds(10));
        assertInstanceOf(FetchResult.Received.class, rates());
    }

    /** A key is the venue's own text, and the name with the key is logged. */
    @Test
    void keysOfVenuesBreakNoLogLine() {
        Request declared = Request.get("rate_{}", "https://fapi.binance.com/rate?s={}");
        assertEquals(
                "rate_A ERROR B", VenueRequest.of(declared, "A\nERROR B", "").name());
    }
}
