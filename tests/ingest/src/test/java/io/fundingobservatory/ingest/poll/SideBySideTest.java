package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Forty-eight exchanges are not polled in one go, and one that is slow holds up no other. */
class SideBySideTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int BUCKET_MS = 5_000;

    @Test
    void spreadsPollsOverMinute() {
        for (int seed = 0; seed < 20; seed++) {
            int[] begun = new int[60_000 / BUCKET_MS];
            for (int i = 0; i < ListedVenue.ALL.size(); i++) {
                var time = new VirtualTime(Duration.ofMinutes(12));
                var atMs = new ArrayList<Long>();
                Venue venue = Registry.all().get(i);
                var responses = new VenueFetcher(
                        venue,
                        (v, request) -> {
                            atMs.add(time.elapsedMs());
                            return new FetchResult.Failed("nothing today", true);
                        },
                        time,
                        new Random(seed),
                        IngestEvents.NONE);
                var random = new Random(seed * 1_000L + i);
                SimulatedPoller.of(
                                venue,
                                responses,
                                time,
                                MINUTE,
                                random,
                                null,
                                null,
                                new DiscardedRecords(),
                                IngestEvents.NONE)
                        .run();
                assertTrue(Thread.interrupted());
                assertTrue(atMs.getFirst() < 5_000, "fills an empty cluster quickly");
                long last = atMs.stream()
                        .filter(at -> at >= Duration.ofMinutes(10).toMillis())
                        .findFirst()
                        .orElseThrow();
                begun[(int) (last % 60_000) / BUCKET_MS]++;
            }
            for (int polls : begun) {
                assertTrue(polls <= 14, () -> "in five seconds of the minute: " + java.util.Arrays.toString(begun));
            }
        }
    }

    @Test
    void silentExchangeDelaysNoOther() throws InterruptedException {
        var clock = InstantSource.system();
        try (SimulatedExchanges simulated = SimulatedExchanges.start(3, clock, Realism.SMALL);
                VenueHttpClient http = UnmanagedHttp.inPlaceOfThem(simulated.baseUrl(), clock, Duration.ofMinutes(5))) {
            responses("dydx", http, clock).poll(Duration.ofSeconds(1)); // warm
            simulated.fault("binance", new Fault.NoResponse());
            var others = new ArrayList<Thread>();
            for (int i = 0; i < 6; i++) {
                others.add(Thread.ofVirtual().start(() -> {
                    try {
                        responses("binance", http, clock).poll(Duration.ofSeconds(1));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
            for (int i = 0; i < 5; i++) {
                // a new one each time and a single request: our share of the limit holds nothing up
                ResponseSource quick = responses("dydx", http, clock);
                PollResponses polled = quick.poll(Duration.ofSeconds(1));
                assertEquals(List.of(), polled.missing());
                assertTrue(polled.fresh());
            }
            assertTrue(others.stream().allMatch(Thread::isAlive), "no poll waited for the end of a slow one");
            others.forEach(Thread::interrupt);
            for (Thread other : others) {
                other.join(Duration.ofMinutes(5));
                assertFalse(other.isAlive(), "given up");
            }
        }
    }

    private static ResponseSource responses(String id, VenueHttpClient http, InstantSource clock) {
        return new VenueFetcher(Registry.find(id), http, Time.real(clock), new Random(1), IngestEvents.NONE);
    }
}
