package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every fault over real HTTP: nothing is published, earlier values stay, and the reason is reported. Errors in a body
 * are read by each venue's reader, and each venue publishes its own ban. All other faults are the client's, which is the same for all: they are played at three
 * venues, and at all with {@code -Dobservatory.limits.venues=all}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultMatrixTest {
    /** For what never comes. */
    private static final Duration DEADLINE = Duration.ofMillis(500);
    /** For what comes: no stall of the machine is as long. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** One request for all rows, a request for each symbol, and POST; of both bounds of a body. */
    private static final Set<String> FEW = Set.of("binance", "paradex", "hyperliquid");

    private static final String OUT_OF_TIME = "no whole response within";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration FOR_KEYS = Duration.ofSeconds(45);

    private static SimulatedExchanges simulated;
    private static VenueHttpClient patient;
    private static VenueHttpClient hasty;
    private static volatile VenueHttpClient http;
    private static final Map<String, Polled> POLLED = new ConcurrentHashMap<>();

    /** One venue's polling, kept from fault to fault together with its state. */
    private static final class Polled {
        final Venue venue;
        final VirtualTime time = new VirtualTime(Duration.ofDays(30));
        final VenueFetcher responses;
        final GuardedReader builder;

        Polled(Venue venue) {
            this.venue = venue;
            this.responses = new VenueFetcher(
                    venue, (v, request) -> http.fetch(v, request), time, new Random(1), IngestEvents.NONE);
            this.builder = new GuardedReader(
                    venue, Source.SIMULATED, new VenueGuards(venue.spec().id(), new CommonFactorGuard(), false), null);
        }

        PollReport poll() throws InterruptedException {
            return builder.read(responses.poll(FOR_KEYS), new SettlementGaps(), time.nowMs(), Duration.ZERO);
        }

        long requests() {
            return simulated.requests(venue.spec().id());
        }
    }

    @BeforeAll
    static void start() throws InterruptedException {
        var clock = InstantSource.fixed(Instant.ofEpochMilli(new VirtualTime(HOUR).nowMs()));
        simulated = SimulatedExchanges.start(11, clock, Realism.SMALL);
        patient = UnmanagedHttp.inPlaceOfThem(simulated.baseUrl(), clock, PATIENCE);
        hasty = UnmanagedHttp.inPlaceOfThem(simulated.baseUrl(), clock, DEADLINE);
        http = patient;
        Registry.all().forEach(v -> POLLED.put(v.spec().id(), new Polled(v)));
        assertEquals(ListedVenue.ALL.size(), POLLED.size());
        everyVenue(polled -> {
            PollReport report = polled.poll();
            assertTrue(
                    report.outcome() != Outcome.FAILED && !report.quotes().isEmpty(),
                    () -> "healthy: " + report.status());
            return null;
        });
    }

    @AfterAll
    static void stop() {
        patient.close();
        hasty.close();
        simulated.close();
    }

    private interface Story {
        Object run(Polled polled) throws InterruptedException;
    }

    /** Runs the same story at all venues at once and reports failures with the venue's name. */
    private static void everyVenue(Story story) throws InterruptedException {
        at(POLLED.keySet(), story);
    }

    private static void at(Set<String> venues, Story story) throws InterruptedException {
        var wrong = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new java.util.TreeMap<String, Future<Object>>();
            venues.forEach(id -> {
                Polled polled = POLLED.get(id);
                Callable<Object> task = () -> story.run(polled);
                results.put(id, threads.submit(task));
            });
            for (var result : results.entrySet()) {
                try {
                    result.getValue().get();
                } catch (ExecutionException e) {
                    wrong.add(result.getKey() + ": " + e.getCause());
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(new Fault.TooManyRequests(150), "HTTP 429", 150),
                Arguments.of(new Fault.ServerError(418), "HTTP 418", 120),
                Arguments.of(new Fault.ServerError(403), "HTTP 403", 120),
                Arguments.of(new Fault.ServerError(451), "HTTP 451", 120),
                Arguments.of(new Fault.ServerError(520), "HTTP 520", 0),
                Arguments.of(new Fault.HtmlInsteadOfJson(), "HTML instead of JSON", 0),
                Arguments.of(new Fault.Empty(), "empty response", 0),
                Arguments.of(new Fault.Truncated(), "unreadable response", 0),
                Arguments.of(new Fault.InBandError(), "", 0),
                Arguments.of(
                        new Fault.Redirect("http://169.254.169.254/latest/meta-data"),
                        "a redirect, which is not followed",
                        0),
                Arguments.of(new Fault.GzipBomb(), "unreadable response", 0),
                Arguments.of(new Fault.EndlessBody(), "response larger than (4|12) MB", 0),
                Arguments.of(new Fault.NoResponse(), OUT_OF_TIME, 0),
                Arguments.of(new Fault.Slow(Duration.ofMillis(100), 20), OUT_OF_TIME, 0));
    }

    /** @param closedS so long nothing may be requested after the fault, in seconds, where the exchange publishes no longer ban */
    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    @Order(1)
    void faultPublishesNothing(Fault fault, String reason, int closedS) throws InterruptedException {
        long begun = System.nanoTime();
        // what never comes is not waited for as long as what comes
        http = fault instanceof Fault.NoResponse || fault instanceof Fault.Slow ? hasty : patient;
        boolean all = fault instanceof Fault.InBandError
                || fault instanceof Fault.TooManyRequests
                || "all".equals(System.getProperty("observatory.limits.venues"));
        at(all ? POLLED.keySet() : FEW, polled -> {
            String id = polled.venue.spec().id();
            // long enough for every door to be open again
            polled.time.pause(HOUR.multipliedBy(2));
            VenueStatus before = polled.builder.status();
            simulated.fault(id, fault);
            long healthy = polled.requests();
            PollReport report = polled.poll();
            long faulty = polled.requests();

            assertTrue(faulty > healthy, "the fault was met");
            unpublished(report, before);
            assertTrue(
                    report.status().reason().matches(".*(" + reason + ").*"),
                    report.status().reason());
            assertTrue(report.status().reason().length() <= 300, report.status().reason());
            long banS = Math.max(closedS, PublishedBans.of(id, reason).toSeconds());
            long closedUntil = polled.time.elapsedMs() + banS * 1_000L;
            while (polled.time.elapsedMs() + MINUTE.toMillis() < closedUntil) {
                polled.time.pause(MINUTE);
                PollReport waiting = polled.poll();
                assertEquals(faulty, polled.requests(), "requested during its ban");
                unpublished(waiting, before);
                assertTrue(
                        waiting.status().reason().contains("next request in"),
                        waiting.status().reason());
            }
            simulated.heal(id);
            if (closedS > 0) {
                polled.time.pause(MINUTE.multipliedBy(2));
                PollReport healed = polled.poll();
                assertTrue(!healed.quotes().isEmpty(), () -> "healed: " + healed.status());
            }
            return null;
        });
        http = patient;
        long took = (System.nanoTime() - begun) / 1_000_000;
        System.out.printf("%s: %d ms%n", fault, took);
    }

    private static void unpublished(PollReport report, VenueStatus before) {
        assertEquals(Outcome.FAILED, report.outcome());
        assertEquals(List.of(), report.quotes());
        assertEquals(before.lastSuccessMs(), report.status().lastSuccessMs());
        assertEquals(before.symbols(), report.status().symbols());
        assertEquals(before.skipped(), report.status().skipped());
        assertNotNull(report.status().reason());
    }

    @Test
    @Order(2)
    void everyVenueIsWellAgainAfterwards() throws InterruptedException {
        everyVenue(polled -> {
            polled.time.pause(HOUR.multipliedBy(2));
            PollReport report = polled.poll();
            assertTrue(
                    report.outcome() != Outcome.FAILED && !report.quotes().isEmpty(),
                    () -> "healed: " + report.status());
            return null;
        });
    }
}
