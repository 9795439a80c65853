package io.fundingobservatory.ingest.fetching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What single exchanges declare of their answers holds for them and for no other. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class VenueRulesOverHttpTest {
    /** Lighter's firewall answers 405 to who asks too often, and asking on prolongs it. */
    @Test
    void lightersFirewallSaysItWith405() throws Exception {
        String head = "405 Method Not Allowed\r\nContent-Type: text/html";
        assertInstanceOf(Fetched.Throttled.class, ask("lighter", head, "<html>Not Allowed</html>"));
        assertInstanceOf(Fetched.Failed.class, ask("gate", head, "<html>Not Allowed</html>"));
    }

    /** Paradex' list of markets was 4 MB in September 2026, and a proxy may send it without gzip. */
    @Test
    void paradexsMarketsMayBeLarge() throws Exception {
        String market =
                "{\"symbol\":\"BTC-31DEC26-80000-C\",\"asset_kind\":\"OPTION\",\"notes\":\"" + "x".repeat(400) + "\"},";
        String body = "{\"results\":[" + market.repeat(11_000) + "{}]}";
        assertInstanceOf(Fetched.Answered.class, ask("paradex", "200 OK", body));
        Fetched cut = ask("delta", "200 OK", body);
        assertEquals(
                "answer larger than 4 MB",
                assertInstanceOf(Fetched.Unreadable.class, cut).reason());
    }

    private static Fetched ask(String id, String head, String body) throws IOException, InterruptedException {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        try (var server = new MisbehavingServer();
                var exchanges = HttpExchangeClient.inPlaceOfThem(
                        server.base(), InstantSource.fixed(Instant.parse("2026-09-21T13:33:20Z")))) {
            server.answer(head, body);
            return exchanges.fetch(venue, Call.of(venue.header().requests().getFirst(), "", ""));
        }
    }
}
