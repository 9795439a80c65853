package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fundingobservatory.ingest.client.FetchResult;
import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.VenueClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Venues that come and go, at exchanges that do not let go of a request. No broker is there: nothing of an earlier process is known. */
class VenuePollersTest {
    private static final KafkaAccess NOWHERE = KafkaAccess.at("127.0.0.1:1");
    private static final long NOW = 1_790_000_000_000L;
    private static final Time CLOCK = Time.real(InstantSource.system());
    /** So many that one wait for each of them takes longer than any stall of the machine. */
    private static final List<ListedVenue> VENUES = ListedVenue.ALL;

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final CountDownLatch allPolled = new CountDownLatch(VENUES.size());
    private final Set<String> polling = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sideBySide = new AtomicInteger();
    private final Publisher publisher =
            new Publisher(Publisher.producer(NOWHERE), InstantSource.system(), IngestEvents.NONE, reason -> {});

    private final MockProducer<String, byte[]> records =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final Publisher recorded = new Publisher(records, InstantSource.system(), IngestEvents.NONE, reason -> {});
    private final VenueClient stubborn = (venue, request) -> {
        if (!polling.add(venue.spec().id())) {
            sideBySide.incrementAndGet();
        }
        allPolled.countDown();
        boolean interrupted = false;
        while (letGo.getCount() > 0) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        polling.remove(venue.spec().id());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new FetchResult.Failed("no response", true);
    };

    static IngestSettings settings(String exchanges, Duration interval) {
        return new IngestSettings(exchanges, List.of(), interval, RateLimitMode.PUBLISHED, List.of(), "", "");
    }

    private VenuePollers pollers(Duration interval) {
        return pollers(interval, stubborn, () -> EarlierState.NONE);
    }

    private VenuePollers pollers(Duration interval, VenueClient exchanges, Supplier<EarlierState> earlierState) {
        return pollers(settings("live", interval), exchanges, publisher, earlierState, CLOCK);
    }

    /** Minute by minute in virtual time, with what they publish in {@link #records}. */
    private VenuePollers pollers(VenueClient exchanges, Time time) {
        return pollers(settings("live", Duration.ofMinutes(1)), exchanges, recorded, () -> EarlierState.NONE, time);
    }

    private static VenuePollers pollers(
            IngestSettings settings,
            VenueClient exchanges,
            Publisher publisher,
            Supplier<EarlierState> earlierState,
            Time time) {
        return new VenuePollers(
                settings,
                new SourceSetting.Live(),
                exchanges,
                publisher,
                earlierState,
                time,
                new IngestMetrics(new SimpleMeterRegistry(), time));
    }

    @AfterEach
    void close() {
        letGo.countDown();
        publisher.close();
        recorded.close();
    }

    @Test
    void pollsNothingBeforeFormerStateIsRead() {
        var requested = new AtomicInteger();
        var requestedBefore = new AtomicInteger();
        var readings = new AtomicInteger();
        VenuePollers pollers = pollers(
                Duration.ofSeconds(1),
                (venue, request) -> {
                    requested.incrementAndGet();
                    return new FetchResult.Failed("no response", true);
                },
                () -> {
                    switch (readings.incrementAndGet()) {
                        case 1 -> throw new TimeoutException("no leader");
                        case 2 -> throw new IllegalStateException("a bug");
                        default -> requestedBefore.set(requested.get());
                    }
                    return EarlierState.NONE;
                });
        pollers.given(VENUES);
        Await.until("the first request", () -> requested.get() > 0);
        assertEquals(3, readings.get());
        assertEquals(0, requestedBefore.get());
        pollers.taken(VENUES);
    }

    @Test
    void restartsPollerThatBreaksOff() {
        var requested = new AtomicInteger();
        var readings = new AtomicInteger();
        VenuePollers pollers = pollers(
                Duration.ofSeconds(1),
                (venue, request) -> {
                    if (requested.incrementAndGet() == 1) {
                        throw new LinkageError("a class that is not there");
                    }
                    return new FetchResult.Failed("no response", true);
                },
                () -> {
                    readings.incrementAndGet();
                    return EarlierState.NONE;
                });
        pollers.given(VENUES.subList(0, 1));
        Await.until("another request", () -> requested.get() > 1);
        assertEquals(2, readings.get(), "it continues from what it has published since");
        pollers.taken(VENUES.subList(0, 1));
    }

    @Test
    void handsOverManyVenuesWithoutConcurrentPolls() throws InterruptedException {
        VenuePollers pollers = pollers(Duration.ofSeconds(1));
        pollers.given(VENUES);
        assertTrue(allPolled.await(5, TimeUnit.MINUTES), "all are being polled");

        long begun = System.nanoTime();
        pollers.taken(VENUES);
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(tookMs < 2_000 * VENUES.size(), "two seconds together, not for each: " + tookMs + " ms");
        assertEquals(Set.of(), pollers.venues());
        assertEquals(Set.of(), pollers.silent(), "they are another's now");

        // They come back while the former pollers still wait for their responses, and are silent for as long as those
        // do.
        pollers.given(VENUES);
        Await.until("all are silent for three intervals", () -> pollers.silent().size() == VENUES.size());
        assertEquals(0, sideBySide.get());
        pollers.taken(VENUES);
        letGo.countDown();
    }

    @Test
    void pollsVenueUntilItClosesThenReportsClosed() {
        long start = Instant.parse("2030-01-02T02:00:00Z").toEpochMilli();
        ListedVenue ending = ListedVenue.of("binance").closing("2030-01-02T02:05:30Z", "https://binance.example/end");
        ListedVenue ended = ListedVenue.of("okx").closing("2030-01-02T02:00:00Z", "https://okx.example/end");
        var requested = new ConcurrentLinkedQueue<String>();
        var time = VirtualTime.shared(start, 1);
        VenuePollers pollers = pollers(
                (venue, request) -> {
                    requested.add(venue.spec().id() + " " + Instant.ofEpochMilli(time.nowMs()));
                    return new FetchResult.Failed("no response", true);
                },
                time);
        pollers.given(List.of(ending, ended));
        Await.until(
                "both are reported as closed",
                () -> reasons("binance").contains("closed") && reasons("okx").contains("closed"));
        assertEquals(List.of("closed"), reasons("okx"), "nothing else was ever reported");
        assertTrue(reasons("binance").size() > 3);
        assertTrue(requested.stream().allMatch(request -> request.compareTo("binance 2030-01-02T02:05:30") < 0));
        assertTrue(requested.stream().anyMatch(request -> request.compareTo("binance 2030-01-02T02:02") > 0));
        assertEquals(Set.of(), pollers.silent());
        pollers.taken(List.of(ending, ended));
    }

    /** Every sixth venue takes as long as a request may. Polls of all others begin once a minute. */
    @Test
    void slowVenuesDelayNoOthers() {
        var time = VirtualTime.shared(NOW, VENUES.size());
        Set<String> slow = IntStream.range(0, VENUES.size())
                .filter(i -> i % 6 == 0)
                .mapToObj(i -> VENUES.get(i).id())
                .collect(Collectors.toSet());
        var requestsMs = new ConcurrentHashMap<String, List<Long>>();
        VenuePollers pollers = pollers(
                (venue, request) -> {
                    String id = venue.spec().id();
                    if (slow.contains(id)) {
                        time.pause(Duration.ofSeconds(10));
                        return new FetchResult.NoResponse("no whole response within 10 s");
                    }
                    requestsMs
                            .computeIfAbsent(id, v -> new CopyOnWriteArrayList<>())
                            .add(time.elapsedMs());
                    return new FetchResult.Failed("HTTP 404", false);
                },
                time);
        pollers.given(VENUES);
        Await.until("half an hour has passed", () -> time.elapsedMs() > 1_800_000);
        pollers.taken(VENUES);
        assertEquals(VENUES.size() - slow.size(), requestsMs.size());
        requestsMs.forEach((id, atMs) -> {
            for (int i = 1; i < atMs.size(); i++) {
                long gapMs = atMs.get(i) - atMs.get(i - 1);
                assertTrue(gapMs < 62_000, id + ": " + gapMs + " ms between two requests");
            }
        });
    }

    /** Another region may poll the venue, whose back-offs are in its status. */
    static Stream<Arguments> statusesOfUnwantedVenue() {
        VenueStatus longAgo = attempted(NOW - Duration.ofDays(2).toMillis());
        return Stream.of(
                arguments("", attempted(NOW), true),
                arguments("tokyo", null, true),
                arguments("tokyo", attempted(NOW), false),
                arguments("tokyo", longAgo, true),
                arguments("tokyo", longAgo.withClosedUntil(Map.of("api.binance.com", NOW - 1)), true),
                arguments(
                        "tokyo",
                        longAgo.withClosedUntil(Map.of(
                                "api.binance.com", NOW + Duration.ofDays(30).toMillis())),
                        false),
                arguments("tokyo", attempted(null), false));
    }

    private static VenueStatus attempted(@Nullable Long atMs) {
        return new VenueStatus("binance", Source.LIVE, null, false, null, atMs, null, null, null, null, Map.of());
    }

    @ParameterizedTest
    @MethodSource("statusesOfUnwantedVenue")
    void reportsUnwantedVenueThatNoRegionPolls(String region, @Nullable VenueStatus before, boolean reported) {
        List<ListedVenue> assigned = List.of(ListedVenue.of("binance"), ListedVenue.of("okx"));
        List<String> expected = reported ? List.of("not observed by this installation") : List.of();
        var earlier = new EarlierState(before == null ? Map.of() : Map.of("binance", before), Map.of());
        var time = VirtualTime.shared(NOW, 1);
        var settings = new IngestSettings(
                "live", List.of("okx"), Duration.ofMinutes(1), RateLimitMode.PUBLISHED, List.of(), region, "");
        VenuePollers pollers = pollers(
                settings,
                (venue, request) -> new FetchResult.Failed("no response", true),
                recorded,
                () -> earlier,
                time);
        pollers.given(assigned);
        Await.until(
                "okx is polled some times, and binance is reported or not",
                () -> reasons("okx").size() > 5 && reasons("binance").size() >= expected.size());
        pollers.taken(assigned); // waits for its threads
        assertEquals(expected, reasons("binance"));
    }

    private List<String> reasons(String venue) {
        var reasons = new ArrayList<String>();
        for (ProducerRecord<String, byte[]> record : records.history()) {
            if (record.topic().equals(Topics.VENUES_STATUS.name()) && venue.equals(record.key())) {
                try {
                    reasons.add(String.valueOf(
                            Topics.VENUES_STATUS.codec().decode(record.value()).reason()));
                } catch (MalformedRecord e) {
                    throw new AssertionError(e);
                }
            }
        }
        return reasons;
    }
}
