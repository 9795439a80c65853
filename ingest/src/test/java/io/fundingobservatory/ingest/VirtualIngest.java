package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.client.VenueHttpClient;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.testbed.sim.Dispersion;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.VenueStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Everything of ingest between its share of the venues and its producer, on virtual time and over real HTTP.
 * That is pollers, guards, pacing, settled history, client and publisher. The venues are simulated, count
 * what is drawn on their published limits, and refuse the excess. Published records are decoded as a consumer
 * of the topics would.
 */
final class VirtualIngest implements AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(5);
    /** No exchange hangs here, so that the machine's own stalls, which are no part of the story, end no request. */
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** A venue's status as it was published at a moment. */
    record Reported(long atMs, VenueStatus status, int rows) {}

    final VirtualTime time;
    final SimulatedExchanges exchanges;
    private final VenueHttpClient client;
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final Publisher publisher = new Publisher(producer, InstantSource.system(), IngestEvents.NONE, line -> {});
    private final VenuePollers pollers;
    private final List<ListedVenue> venues;
    private final Map<String, List<Reported>> reported = new HashMap<>();
    private final Map<String, Map<String, Long>> observed = new HashMap<>();
    /** The oldest that a row of a venue was when the next value of it came. */
    private final Map<String, Long> oldest = new HashMap<>();

    /**
     * Starts polling.
     *
     * @param contracts how many contracts of each kind and quote currency an exchange lists: what an hour costs is proportional
     */
    VirtualIngest(List<ListedVenue> venues, int contracts, Instant start) {
        this.venues = venues;
        this.time = VirtualTime.shared(start.toEpochMilli(), venues.size() + 1);
        this.exchanges = SimulatedExchanges.start(
                0,
                11,
                () -> Instant.ofEpochMilli(time.nowMs()),
                Wires.all(),
                new Realism(true, false, false, Dispersion.USUAL, Integer.MAX_VALUE));
        this.client = VenueHttpClient.inPlaceOfThem(
                UnmanagedHttp.within(DEADLINE, DEADLINE),
                exchanges.baseUrl(),
                () -> Instant.ofEpochMilli(time.nowMs()));
        for (ListedVenue venue : venues) {
            exchanges.change(venue.id(), market -> someOf(market, contracts));
            reported.put(venue.id(), new ArrayList<>());
            observed.put(venue.id(), new HashMap<>());
        }
        String source = "simulated:" + exchanges.baseUrl();
        this.pollers = new VenuePollers(
                new IngestSettings(
                        source,
                        venues.stream().map(ListedVenue::id).toList(),
                        Duration.ofMinutes(1),
                        RateLimitMode.PUBLISHED,
                        List.of(),
                        "",
                        ""),
                SourceSetting.parse(source),
                client,
                publisher,
                () -> EarlierState.NONE,
                time,
                new IngestMetrics(new SimpleMeterRegistry(), time));
        pollers.given(venues);
    }

    /** So many contracts of each kind and quote currency, so that every list has some. */
    private static MarketSnapshot someOf(MarketSnapshot market, int contracts) {
        var counts = new HashMap<String, Integer>();
        return new MarketSnapshot(
                market.nowMs(), market.where(c -> counts.merge(c.type() + c.quote(), 1, Integer::sum) <= contracts));
    }

    List<ListedVenue> venues() {
        return venues;
    }

    /** Lets time pass until a condition holds; fails when it does not within so long. */
    void runUntil(String what, Duration within, BooleanSupplier condition) throws InterruptedException {
        long end = time.elapsedMs() + within.toMillis();
        while (!condition.getAsBoolean()) {
            assertTrue(time.elapsedMs() < end, () -> "not within " + within + " of virtual time: " + what);
            run(STEP);
        }
    }

    /** Lets time pass; what is published meanwhile is read afterwards, while all pollers wait. */
    void run(Duration duration) throws InterruptedException {
        for (long end = time.elapsedMs() + duration.toMillis(); time.elapsedMs() < end; ) {
            time.pause(Duration.ofMillis(Math.min(STEP.toMillis(), end - time.elapsedMs())));
            read();
            assertEquals(List.of(), List.copyOf(pollers.silent()), "health is down");
        }
    }

    private void read() {
        var rows = new HashMap<String, Integer>();
        var statuses = new ArrayList<VenueStatus>();
        for (ProducerRecord<String, byte[]> record : producer.history()) {
            try {
                if (record.topic().equals(Topics.QUOTES_RAW.name())) {
                    Quote quote = Topics.QUOTES_RAW.codec().decode(record.value());
                    rows.merge(quote.venue(), 1, Integer::sum);
                    observed(quote);
                } else if (record.topic().equals(Topics.VENUES_STATUS.name())) {
                    statuses.add(Topics.VENUES_STATUS.codec().decode(record.value()));
                }
            } catch (MalformedRecord e) {
                throw new AssertionError(record.topic() + ' ' + record.key(), e);
            }
        }
        for (VenueStatus status : statuses) {
            int of = rows.getOrDefault(status.venue(), 0);
            reported.get(status.venue()).add(new Reported(time.elapsedMs(), status, of));
        }
        producer.clear();
    }

    private void observed(Quote quote) {
        Long before = observed.get(quote.venue()).put(quote.symbol(), quote.observedAtMs());
        if (before != null) {
            oldest.merge(quote.venue(), quote.observedAtMs() - before, Math::max);
        }
    }

    /** What a venue's status said from a moment on, in that order. */
    List<Reported> reported(String venue, long fromMs) {
        return reported.get(venue).stream().filter(t -> t.atMs() > fromMs).toList();
    }

    Reported latest(String venue) {
        return reported.get(venue).getLast();
    }

    /** How old the oldest row of a venue has been, in seconds. */
    long oldestRowS(String venue) {
        long now = time.nowMs();
        long waiting = observed.get(venue).values().stream()
                .mapToLong(at -> now - at)
                .max()
                .orElse(Long.MAX_VALUE);
        return Math.max(waiting, oldest.getOrDefault(venue, 0L)) / 1_000;
    }

    @Override
    public void close() {
        pollers.interrupt();
        client.close();
        exchanges.close();
        publisher.close();
    }
}
