package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.VenueResponses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reason becomes a label, so that it never holds text of the venue. */
class ToobitReasonTest {
    private static final String TOKEN = "T".repeat(250);

    private static void add(VenueResponses responses, String request, String body) throws IOException {
        var parsed = JsonValue.parse(body.getBytes(StandardCharsets.UTF_8));
        responses.add(request, new VenueResponses.Response("", parsed, 0));
    }

    @Test
    void unreadableIndexIsNamedByField() throws IOException {
        var responses = new VenueResponses();
        add(responses, "fundingRate", """
                [{"symbol":"BTC-SWAP-USDT","rate":"0.0001","period":"8H","nextFundingTime":"1790006400000"}]""");
        add(responses, "markPrice", "[{\"symbolId\":\"BTC-SWAP-USDT\",\"price\":\"1\"}]");
        add(responses, "index", "{\"index\":{\"%s\":\"many\"}}".formatted(TOKEN));
        add(responses, "exchangeInfo", """
                {"contracts":[{"symbol":"BTC-SWAP-USDT","status":"TRADING","indexToken":"%s"}]}""".formatted(TOKEN));
        var rows = new Rows(new Toobit().spec(), 1_790_000_000_000L);
        new Toobit().read(responses, rows);

        assertEquals(
                List.of("BTC-SWAP-USDT unreadable_index"),
                rows.skipped().stream().map(s -> s.symbol() + " " + s.reason()).toList());
    }
}
