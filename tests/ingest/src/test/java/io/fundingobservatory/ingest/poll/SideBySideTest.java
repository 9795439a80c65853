package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Forty-eight exchanges are not polled in one go. */
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
}
