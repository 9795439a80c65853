package io.fundingobservatory.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.poll.VenueFetcher;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.standalone.exchanges.ExchangeAccess;
import io.fundingobservatory.standalone.top.AuthoredService;
import io.fundingobservatory.standalone.top.AuthoredService.Response;
import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code observatory audit} over simulated venues, and a service that has read the same ones. Their clock begins amid an hour: for some
 * seconds after a settlement venues publish the one that has passed, and such rows are skipped.
 */
class AuditCommandTest {
    /** Of {@code bybit}, whose reader is wrong in one test. */
    private static final String WRONG = "bybit";

    /** Half past an hour, when no settlement is near. */
    private static final InstantSource CLOCK = beginsAt(Instant.parse("2026-10-14T15:30:00Z"));

    private static SimulatedExchanges simulated;
    private static List<Quote> quotes;

    @BeforeAll
    static void readsEveryVenue() throws InterruptedException, ExecutionException {
        simulated = simulatedAt(CLOCK);
        quotes = new ArrayList<>();
        try (var access = ExchangeAccess.simulatedAt(simulated.baseUrl(), CLOCK);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Quote>>> read = Registry.all().stream()
                    .map(venue -> threads.submit(() -> read(venue, access.exchanges())))
                    .toList();
            for (Future<List<Quote>> one : read) {
                quotes.addAll(one.get());
            }
        }
    }

    private static InstantSource beginsAt(Instant instant) {
        return Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), instant));
    }

    private static SimulatedExchanges simulatedAt(InstantSource clock) {
        return SimulatedExchanges.start(1, clock, Realism.LENIENT.withContracts(3));
    }

    private static List<Quote> read(Venue venue, VenueHttpClient client) throws InterruptedException {
        Time time = Time.real(CLOCK);
        var responses = new VenueFetcher(venue, client, time, new Random(1), RateLimitMode.NONE, IngestEvents.NONE)
                .poll(Duration.ofSeconds(20));
        var rows = new Rows(venue.spec(), responses.readAtMs() == null ? time.nowMs() : responses.readAtMs());
        venue.read(responses.responses(), rows);
        return rows.quotes();
    }

    @AfterAll
    static void stop() {
        simulated.close();
    }

    /** A service whose readers return these quotes. */
    private static AuthoredService service(String source, UnaryOperator<Quote> reader) throws IOException {
        var rows = new ArrayList<String>();
        for (Quote quote : quotes) {
            if (Normaliser.normalise(reader.apply(quote), quote.observedAtMs())
                    instanceof Normalised.Accepted(Rate rate)) {
                rows.add(new String(Rate.CODEC.encode(rate), UTF_8));
            }
        }
        var service = new AuthoredService();
        service.respond(
                "/api/v1/latest",
                Response.ok("{\"meta\":{\"source\":\"" + source + "\"},\"rows\":[" + String.join(",", rows) + "]}"));
        return service;
    }

    private static Ran audit(AuthoredService service, String... venues) {
        return audit(service, CLOCK, simulated, venues);
    }

    private static Ran audit(
            AuthoredService service, InstantSource clock, SimulatedExchanges exchanges, String... venues) {
        var words = new ArrayList<>(
                List.of("--url", service.base().toString(), "--exchanges", "simulated:" + exchanges.baseUrl()));
        words.addAll(List.of(venues));
        return Ran.command(new AuditCommand(clock), words.toArray(String[]::new));
    }

    @Test
    void nothingDiffersWhereReadersAreRight() throws IOException {
        try (var service = service("simulated", quote -> quote)) {
            Ran ran = audit(service);
            assertEquals(0, ran.exit(), ran.out() + ran.err());
            List<String> lines = ran.out().lines().toList();
            int venues = Registry.all().size();
            assertEquals(venues + 2, lines.size(), ran.out());
            assertTrue(lines.getLast().startsWith("0 different of "), ran.out());
            assertTrue(lines.getLast().endsWith("; " + venues + " of " + venues + " exchanges compared"), ran.out());
            // within its limits a poll may lack contracts of a venue that is requested symbol by symbol
            var whole = Pattern.compile("\\w+ +[1-9]\\d* +\\d+ +\\d+ +\\d+ +0 +0 +\\d+ +\\d+ s .*");
            lines.subList(1, venues + 1)
                    .forEach(line -> assertTrue(whole.matcher(line).matches(), line));
            assertEquals(List.of("/api/v1/latest?venues=all"), service.requests());
        }
    }

    @Test
    void findsAReaderWithAWrongUnit() throws IOException {
        try (var service = service("simulated", AuditCommandTest::inPercent)) {
            Ran ran = audit(service, WRONG, "okx", "kraken");
            assertEquals(3, ran.exit(), ran.out() + ran.err());
            // a hundredth, as far as estimates have not moved since
            var hundredth = Pattern.compile(
                    WRONG + " \\w+ rates at the service are about 0\\.0(0[5-9]|1)\\d* times those at .*");
            List<String> different = ran.out()
                    .lines()
                    .filter(line -> line.contains("at the service"))
                    .toList();
            assertTrue(different.size() >= 3, ran.out());
            assertTrue(
                    different.stream().allMatch(line -> hundredth.matcher(line).matches()), ran.out());
            assertTrue(
                    ran.out().lines().anyMatch(line -> line.startsWith(different.size() + " different of ")),
                    ran.out());
            assertEquals(List.of("/api/v1/latest?venues=bybit,okx,kraken"), service.requests());
        }
    }

    /** The same quote, as a reader publishes it that takes fractions for percentages. */
    private static Quote inPercent(Quote quote) {
        if (!quote.venue().equals(WRONG)) {
            return quote;
        }
        String right = new String(Quote.CODEC.encode(quote), UTF_8);
        String wrong = right.replace("\"rate_unit\":\"fraction\"", "\"rate_unit\":\"percent\"");
        assertTrue(!wrong.equals(right), right);
        try {
            return Quote.CODEC.decode(wrong.getBytes(UTF_8));
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void saysWhyAVenueHasNoRow() throws IOException {
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-10-14T16:00:05Z"));
        try (var service = service("simulated", quote -> quote);
                SimulatedExchanges exchanges = simulatedAt(clock)) {
            Ran ran = audit(service, clock, exchanges, "gemini");
            assertEquals(4, ran.exit(), ran.out() + ran.err());
            var why = Pattern.compile("gemini .* it returned no row; skipped: \\{settlement_passed=\\d+}");
            assertTrue(why.matcher(ran.out().lines().toList().get(1)).matches(), ran.out());
        }
    }

    @Test
    void exitsWithFourWhereNothingIsCompared() throws IOException {
        try (var live = service("live", quote -> quote)) {
            Ran ran = audit(live, "okx");
            assertEquals(4, ran.exit());
            assertTrue(
                    ran.err().contains("the service observes live exchanges, simulated ones were to be compared"),
                    ran.err());
        }
        try (var empty = new AuthoredService()) {
            Ran ran = audit(empty, "okx");
            assertEquals(4, ran.exit());
            assertTrue(ran.err().contains("was not compared: 404 unknown_address"), ran.err());
        }
    }

    @Test
    void exitsWithFourWhereRowsAreUnreadable() throws IOException {
        try (var service = new AuthoredService()) {
            service.respond("/api/v1/latest", Response.ok("{\"meta\":{\"source\":\"simulated\"},\"rows\":[{}]}"));
            Ran ran = audit(service, "okx");
            assertEquals(4, ran.exit(), ran.err());
            assertTrue(ran.err().startsWith("observatory: the service's rows are not as documented: "), ran.err());
        }
    }

    @Test
    void brokenReadingIsProblemOfItsVenue() throws InterruptedException {
        assertEquals(
                List.of("its reading broke off: java.lang.IllegalStateException: bug"),
                AuditCommand.reading(CompletableFuture.failedFuture(new IllegalStateException("bug")))
                        .problems());
    }

    @Test
    void malformedAddressOfExchangesIsOneLine() throws IOException {
        try (var service = service("simulated", quote -> quote)) {
            Ran ran = Ran.observatory(
                    "audit", "okx", "--url", service.base().toString(), "--exchanges", "simulated:http://HOST:PORT");
            assertEquals(1, ran.exit(), ran.err());
            assertEquals(
                    "observatory: --exchanges is live or simulated:http://HOST:PORT",
                    ran.err().strip());
        }
    }
}
