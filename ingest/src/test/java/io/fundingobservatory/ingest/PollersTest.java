package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.fetching.ExchangeClient;
import io.fundingobservatory.ingest.fetching.Fetched;
import io.fundingobservatory.ingest.pacing.Pacing;
import io.fundingobservatory.ingest.pacing.Time;
import io.fundingobservatory.ingest.publishing.Publisher;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Venues that come and go, at exchanges that do not let go of a request. No broker is there: nothing of an earlier process is known. */
class PollersTest {
    private static final KafkaAccess NOWHERE = KafkaAccess.at("127.0.0.1:1");
    private static final List<ListedVenue> VENUES = ListedVenue.ALL.subList(0, 12);

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final CountDownLatch allAsk = new CountDownLatch(VENUES.size());
    private final Set<String> asking = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sideBySide = new AtomicInteger();
    private final Publisher publisher = new Publisher(NOWHERE, reason -> {});

    private final ExchangeClient stubborn = (venue, call) -> {
        if (!asking.add(venue.header().id())) {
            sideBySide.incrementAndGet();
        }
        allAsk.countDown();
        boolean interrupted = false;
        while (letGo.getCount() > 0) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        asking.remove(venue.header().id());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new Fetched.Failed("no answer", true);
    };

    private Pollers pollers(Duration interval) {
        return pollers(interval, stubborn, () -> Pollers.EarlierState.NONE);
    }

    private Pollers pollers(Duration interval, ExchangeClient exchanges, Supplier<Pollers.EarlierState> earlierState) {
        return new Pollers(
                new IngestSettings("live", List.of(), interval, Pacing.PUBLISHED, List.of(), ""),
                new SourceSetting.Live(),
                exchanges,
                publisher,
                earlierState,
                Time.real(InstantSource.system()),
                new PollMetrics(new SimpleMeterRegistry()));
    }

    @AfterEach
    void close() {
        letGo.countDown();
        publisher.close();
    }

    @Test
    void nothingIsAskedBeforeItIsKnownWhatAnEarlierProcessLeft() {
        var asked = new AtomicInteger();
        var askedBefore = new AtomicInteger();
        var readings = new AtomicInteger();
        Pollers pollers = pollers(
                Duration.ofSeconds(1),
                (venue, call) -> {
                    asked.incrementAndGet();
                    return new Fetched.Failed("no answer", true);
                },
                () -> {
                    if (readings.incrementAndGet() < 3) {
                        throw new TimeoutException("no leader");
                    }
                    askedBefore.set(asked.get());
                    return Pollers.EarlierState.NONE;
                });
        pollers.given(VENUES);
        Await.until("the first request", () -> asked.get() > 0);
        assertEquals(3, readings.get());
        assertEquals(0, askedBefore.get());
        pollers.taken(VENUES);
    }

    @Test
    void aPollerThatBreaksOffIsBegunAnew() {
        var asked = new AtomicInteger();
        Pollers pollers = pollers(
                Duration.ofSeconds(1),
                (venue, call) -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new LinkageError("a class that is not there");
                    }
                    return new Fetched.Failed("no answer", true);
                },
                () -> Pollers.EarlierState.NONE);
        pollers.given(VENUES.subList(0, 1));
        Await.until("another request", () -> asked.get() > 1);
        pollers.taken(VENUES.subList(0, 1));
    }

    @Test
    void aHandOverOfManyVenuesTakesNoLongerThanOfOneAndTheirPollersNeverAskSideBySide() throws InterruptedException {
        Pollers pollers = pollers(Duration.ofSeconds(1));
        pollers.given(VENUES);
        assertTrue(allAsk.await(5, TimeUnit.MINUTES), "all are being asked");

        long begun = System.nanoTime();
        pollers.taken(VENUES);
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(tookMs < 6 * 2_000, "two seconds for each of 12 would be 24 s: " + tookMs + " ms");
        assertEquals(Set.of(), pollers.venues());
        assertEquals(Set.of(), pollers.silent(), "they are another's now");

        // They come back while the former pollers still wait for their answers, and are silent for as long as those do.
        pollers.given(VENUES);
        Await.until("all are silent for three intervals", () -> pollers.silent().size() == VENUES.size());
        assertEquals(0, sideBySide.get());
        pollers.taken(VENUES);
        letGo.countDown();
    }
}
