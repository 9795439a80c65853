package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.client.RateLimitMode;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.client.UnmanagedHttp;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.runtime.CompactedTopic;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.testbed.Await;
import io.fundingobservatory.testbed.EndedProcess;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchanges;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The whole service against a real broker and the simulated exchanges. */
@Execution(ExecutionMode.CONCURRENT)
class IngestServiceTest {
    /** The fewest contracts: their 30 days are soon read. */
    private static final List<String> SOON_READ = List.of("hitbtc", "poloniex");

    private static KafkaFixture kafka;
    private static SimulatedExchanges simulated;
    private static KafkaConsumer<String, VenueStatus> statusReader;
    private static final Map<String, VenueStatus> STATUSES = new HashMap<>();

    @BeforeAll
    static void start() {
        kafka = KafkaFixture.start();
        simulated = SimulatedExchanges.start(7, InstantSource.system(), Realism.SMALL);
        statusReader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringDeserializer(),
                Topics.VENUES_STATUS.deserializer());
        statusReader.assign(List.of(new TopicPartition(Topics.VENUES_STATUS.name(), 0)));
        statusReader.seekToBeginning(statusReader.assignment());
    }

    @AfterAll
    static void stop() {
        statusReader.close();
        simulated.close();
        kafka.close();
    }

    private static IngestMetrics metrics(MeterRegistry meters) {
        return new IngestMetrics(meters, Time.real(InstantSource.system()));
    }

    private static IngestService service(String exchanges) {
        return new IngestService(
                VenuePollersTest.settings(exchanges, Duration.ofSeconds(6)),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                metrics(new SimpleMeterRegistry()),
                UnmanagedHttp.within(Duration.ofMinutes(1)));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @SuppressWarnings("try") // one process ends before the other
    void pollsEachVenueOnceAndReplacesDeadProcess() throws InterruptedException {
        try (var one = service("simulated:" + simulated.baseUrl());
                var two = service("simulated:" + simulated.baseUrl())) {
            one.start();
            Await.until("all venues at the first", () -> one.venues().size() == ListedVenue.ALL.size());
            two.start();
            Await.until(
                    "a share of their own",
                    () -> one.venues().size() == 24 && two.venues().size() == 24);
            var both = new HashSet<>(one.venues());
            both.retainAll(two.venues());
            assertEquals(Set.of(), both, "no venue is polled twice");

            Await.until(
                    "each reader's polls counted",
                    () -> counted().size() == Registry.all().size());
            var counted = counted();
            one.close();
            Await.until("everything taken over", () -> two.venues().size() == ListedVenue.ALL.size());

            Await.until("a status of each venue", () -> statuses().size() == ListedVenue.ALL.size());
            var statuses = statuses();
            for (ListedVenue venue : ListedVenue.ALL) {
                VenueStatus status = statuses.get(venue.id());
                assertEquals(Source.SIMULATED, status.source());
                if (Registry.find(venue.id()) == null) {
                    assertEquals("no reader in this release", status.reason());
                    assertNull(status.rateKind());
                }
            }
            // All but a few, whose polls take a minute: contract by contract.
            Await.until(
                    "the polls of forty counted on",
                    () -> counted().entrySet().stream()
                                    .filter(now -> now.getValue().untilMs()
                                            > counted.get(now.getKey()).untilMs())
                                    .count()
                            >= 40);
            counted()
                    .forEach((venue, now) -> assertEquals(
                            counted.get(venue).sinceMs(),
                            now.sinceMs(),
                            venue + " was counted by the process that ended"));
            Await.until("binance read", () -> statuses().get("binance").lastSuccessMs() != null);
            assertTrue(quotes().contains("binance|BTCUSDT"), "its quotes are in the topic");

            simulated.fault("binance", Fault.HTML_INSTEAD_OF_JSON);
            Await.until("its failure logged", () -> {
                String reason = statuses().get("binance").reason();
                return reason != null && reason.contains("HTML instead of JSON");
            });
            assertNotNull(statuses().get("binance").lastSuccessMs());
            simulated.heal("binance");
            Await.until("its recovery logged", () -> statuses().get("binance").reason() == null);
        }
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void stopsWithOneLineOnTooFewCopies() throws Exception {
        try (var replicated = new IngestService(
                VenuePollersTest.settings("replay:/tmp", Duration.ofSeconds(3)),
                new KafkaAccess(kafka.bootstrapServers(), (short) 3, Map.of()),
                InstantSource.system(),
                metrics(new SimpleMeterRegistry()),
                UnmanagedHttp.within(Duration.ofMinutes(1)))) {
            replicated.start();
            String line = replicated.failure().toCompletableFuture().get(5, TimeUnit.MINUTES);
            assertTrue(line.contains("has 1 copies of each record, 3 are configured"), line);
        }
    }

    /** As the process that a supervisor starts again when it ends. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void dataOfAnotherSourceEndProcess(@TempDir Path folder) throws IOException, InterruptedException {
        try (var publisher = new Publisher(
                Publisher.producer(KafkaAccess.at(kafka.bootstrapServers())),
                InstantSource.system(),
                IngestEvents.NONE,
                reason -> {})) {
            publisher.publish(
                    List.of(),
                    new VenueStatus(
                            "gate", Source.SIMULATED, null, false, null, null, null, null, null, null, Map.of()));
        }
        var ended = EndedProcess.of(
                Main.class,
                folder.resolve("log"),
                Duration.ofMinutes(5),
                "-micronaut.server.port=-1",
                "-observatory.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "-observatory.ingest.exchanges=replay:" + folder);
        assertEquals(1, ended.exit(), ended.text());
        assertEquals(1, ended.errors().size(), ended.text());
        assertTrue(ended.errors().getFirst().contains("hold SIMULATED data"), ended.text());
    }

    private static Set<String> quotes() {
        return CompactedTopic.read(KafkaAccess.at(kafka.bootstrapServers()), Topics.QUOTES_RAW)
                .keySet();
    }

    private static Map<String, PollCounts> counted() {
        var counts = new HashMap<String, PollCounts>();
        statuses().forEach((venue, status) -> {
            if (status.pollCounts() != null) {
                counts.put(venue, status.pollCounts());
            }
        });
        return counts;
    }

    /** The newest of each venue. It reads on where it ended, since it is called often. */
    private static Map<String, VenueStatus> statuses() {
        new TopicReader<>(statusReader).toEnd(record -> STATUSES.put(record.key(), record.value()));
        return Map.copyOf(STATUSES);
    }

    /** Comes first: the broker must not know how far earlier processes have read. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void readsAndPublishesSettledHistoryOnce() throws InterruptedException {
        var meters = new SimpleMeterRegistry();
        long before = end(Topics.SETTLEMENTS_RAW);
        try (var ingest = settling(meters)) {
            ingest.start();
            Await.until(
                    "all history of two venues",
                    () -> SOON_READ.stream().allMatch(venue -> {
                        VenueStatus status = statuses().get(venue);
                        return status != null
                                && status.historyTotal() != null
                                && status.historyTotal().equals(status.historyDone());
                    }));
            // A stop interrupts polls between the acknowledgement of settlements and their count.
            Await.until(
                    "each published settlement counted once",
                    () -> counted(meters) == end(Topics.SETTLEMENTS_RAW) - before);
        }
        long published = end(Topics.SETTLEMENTS_RAW) - before;
        assertTrue(published > 4_000, published + " settlements");
        long contracts = SOON_READ.stream()
                .mapToLong(venue -> statuses().get(venue).historyTotal())
                .sum();
        assertEquals(
                contracts,
                CompactedTopic.read(KafkaAccess.at(kafka.bootstrapServers()), Topics.INGEST_PROGRESS).keySet().stream()
                        .filter(key -> SOON_READ.contains(key.substring(0, key.indexOf('|'))))
                        .count());

        try (var again = settling(new SimpleMeterRegistry())) {
            again.start();
            Await.until("its progress known", () -> again.health().polled() == 2);
            long more = end(Topics.SETTLEMENTS_RAW) - before - published;
            assertTrue(more < published / 20, more + " settlements were published again");
        }
    }

    private static long counted(MeterRegistry meters) {
        return (long) meters.get("observatory.ingest.settlements.published").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static IngestService settling(MeterRegistry meters) {
        return new IngestService(
                new IngestSettings(
                        "simulated:" + simulated.baseUrl(),
                        SOON_READ,
                        Duration.ofSeconds(6),
                        // what keeps to limits is WithinPublishedLimitsTest's, on virtual time
                        RateLimitMode.NONE,
                        List.of(),
                        "",
                        ""),
                KafkaAccess.at(kafka.bootstrapServers()),
                InstantSource.system(),
                metrics(meters),
                UnmanagedHttp.within(Duration.ofMinutes(1)));
    }

    private static long end(Topic<?> topic) {
        return end(kafka.bootstrapServers(), topic);
    }

    /** The number of records that a topic has had. */
    static long end(String bootstrapServers, Topic<?> topic) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            var partitions = consumer.partitionsFor(topic.name()).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            return consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }
}
