package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.UnforeseenFailures;
import io.fundingobservatory.streams.rates.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** Both applications in drivers. What {@code rates} writes to {@code contract.events} goes into {@code pairs}, stamped by a broker. */
final class TwoDrivers implements AutoCloseable {
    final TopologyTestDriver rates;
    final TopologyTestDriver pairs;
    private static final int TICKS = 10;

    private final LongSupplier brokerMs;
    private final TestOutputTopic<byte[], byte[]> written;
    private final TestInputTopic<byte[], byte[]> read;

    TwoDrivers(Path state, LongSupplier steadyMs, StreamsMetrics metrics, OpenVenues venues) throws IOException {
        brokerMs = steadyMs;
        Instant now = Instant.ofEpochMilli(steadyMs.getAsLong());
        Properties ofRates = config(state, "rates");
        rates = new TopologyTestDriver(RatesTopology.draw(ofRates, steadyMs, metrics, venues), ofRates, now);
        Properties ofPairs = config(state, "pairs");
        pairs = new TopologyTestDriver(PairsTopology.draw(ofPairs, steadyMs, metrics, Duration.ZERO), ofPairs, now);
        String events = Topics.CONTRACT_EVENTS.name();
        written = rates.createOutputTopic(events, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        read = pairs.createInputTopic(events, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** What a topology needs to be drawn, and its driver to keep its stores apart. */
    static Properties config(Path state, String application) throws IOException {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(
                StreamsConfig.STATE_DIR_CONFIG,
                Files.createDirectories(state.resolve(application)).toString());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnforeseenFailures.class);
        return config;
    }

    TestInputTopic<byte[], byte[]> input(Topic<?> topic) {
        return rates.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    <V> TestOutputTopic<String, V> output(TopologyTestDriver of, Topic<V> topic) {
        return of.createOutputTopic(topic.name(), new StringDeserializer(), topic.deserializer());
    }

    TestOutputTopic<byte[], byte[]> deadLetters(TopologyTestDriver of) {
        return of.createOutputTopic(
                Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** {@code pairs} reads what {@code rates} has written. */
    void pump() {
        Instant now = Instant.ofEpochMilli(brokerMs.getAsLong());
        written.readRecordsToList()
                .forEach(event -> read.pipeInput(new TestRecord<>(event.key(), event.value(), event.headers(), now)));
    }

    /** Time passes, for {@code rates} first. */
    void advance(Duration time) {
        pump();
        rates.advanceWallClockTime(time);
        pump();
        for (int tick = 0; tick < TICKS; tick++) {
            pairs.advanceWallClockTime(time.dividedBy(TICKS));
        }
    }

    @Override
    public void close() {
        rates.close();
        pairs.close();
    }
}
