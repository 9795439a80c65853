package io.fundingobservatory.ingest.fetching;

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

/** Lighter's firewall answers 405 to who asks too often and shuts him out for longer when he goes on; elsewhere 405 is a failure. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ThrottlingStatusTest {
    @Test
    void lightersFirewallSaysItWith405() throws Exception {
        assertInstanceOf(Fetched.Throttled.class, answerOf405("lighter"));
        assertInstanceOf(Fetched.Failed.class, answerOf405("gate"));
    }

    private static Fetched answerOf405(String id) throws IOException, InterruptedException {
        Venue venue = Objects.requireNonNull(Registry.find(id));
        try (var server = new MisbehavingServer();
                var exchanges = ExchangesOverHttp.inPlaceOfThem(
                        server.base(), InstantSource.fixed(Instant.parse("2026-09-21T13:33:20Z")))) {
            server.answer("405 Method Not Allowed\r\nContent-Type: text/html", "<html>Not Allowed</html>");
            return exchanges.fetch(venue, Call.of(venue.header().requests().getFirst(), "", ""));
        }
    }
}
