package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.client.UnforeseenFailures;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.ledger.LedgerEnds;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The topology in a driver, with its clocks in a test's hand: quotes go in as bytes, rows and dead letters come out. */
final class RatesDriver implements BeforeEachCallback, AfterEachCallback {
    static final long T0 = 1_790_000_000_000L;

    final CountedMetrics counts = new CountedMetrics();
    private final OpenVenues venues;
    TestInputTopic<byte[], byte[]> quotes;
    TestOutputTopic<String, Rate> normalised;
    TestOutputTopic<String, Rate> latest;
    TestOutputTopic<byte[], byte[]> dead;
    TestOutputTopic<String, CarryTable> pairs;
    private Path state;
    private TopologyTestDriver driver;
    private long steadyMs = T0;

    RatesDriver() {
        this(OpenVenues.LISTED);
    }

    RatesDriver(OpenVenues venues) {
        this.venues = venues;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        state = Files.createTempDirectory("rates-driver");
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnforeseenFailures.class);
        var topology = RatesTopology.draw(config, () -> steadyMs, counts, LedgerEnds.UNKNOWN, venues);
        driver = new TopologyTestDriver(topology, config, Instant.ofEpochMilli(T0));
        quotes =
                driver.createInputTopic(Topics.QUOTES_RAW.name(), new ByteArraySerializer(), new ByteArraySerializer());
        var text = new StringDeserializer();
        normalised =
                driver.createOutputTopic(Topics.RATES_NORMALISED.name(), text, Topics.RATES_NORMALISED.deserializer());
        latest = driver.createOutputTopic(Topics.RATES_LATEST.name(), text, Topics.RATES_LATEST.deserializer());
        pairs = driver.createOutputTopic(Topics.CARRY_PAIRS.name(), text, Topics.CARRY_PAIRS.deserializer());
        dead = driver.createOutputTopic(
                Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        driver.close();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What is stored of a quote's contract; null when nothing is. */
    ContractState contract(Quote quote) {
        return driver.<byte[], ContractState>getKeyValueStore(Stores.CONTRACTS)
                .get(quote.key().toString().getBytes(UTF_8));
    }

    /** A quote arrives at the broker at this instant. */
    void send(Quote quote, long arrivedMs) {
        quotes.pipeInput(new TestRecord<>(
                quote.key().toString().getBytes(UTF_8), Quote.CODEC.encode(quote), Instant.ofEpochMilli(arrivedMs)));
    }

    /** Time passes in steps of ten seconds. */
    void pass(Duration time) {
        for (long ms = time.toMillis(); ms > 0; ms -= 10_000) {
            steadyMs += Math.min(ms, 10_000);
            driver.advanceWallClockTime(Duration.ofSeconds(10));
        }
    }

    /** Time passes at once. */
    void jump(Duration time) {
        steadyMs += time.toMillis();
        driver.advanceWallClockTime(time);
    }

    static String header(TestRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
