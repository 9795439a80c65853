package io.fundingobservatory.faults.planted;

import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.UnforeseenFailures;
import io.fundingobservatory.streams.rates.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The topology over some records, in one thread without brokers. Takes and returns types of the JDK and of Kafka only, so that it can be
 * loaded once more with patched classes.
 */
public final class TopologyRun
        implements Function<List<ConsumerRecord<byte[], byte[]>>, Map<String, List<TestRecord<byte[], byte[]>>>> {
    private static final List<String> OUTPUTS =
            List.of(Topics.RATES_NORMALISED.name(), Topics.RATES_LATEST.name(), Topics.DEAD_LETTERS.name());

    @Override
    public Map<String, List<TestRecord<byte[], byte[]>>> apply(List<ConsumerRecord<byte[], byte[]>> records) {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "planted");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        config.put(
                StreamsConfig.STATE_DIR_CONFIG, System.getProperty("java.io.tmpdir") + "/planted-" + System.nanoTime());
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        config.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnforeseenFailures.class);
        var metrics = new StreamsMetrics(new SimpleMeterRegistry());
        long begun = records.getFirst().timestamp();
        var now = new AtomicLong(begun);
        var came = new HashMap<String, List<TestRecord<byte[], byte[]>>>();
        OUTPUTS.forEach(topic -> came.put(topic, new ArrayList<>()));
        try (var driver = new TopologyTestDriver(
                RatesTopology.draw(config, now::get, metrics, OpenVenues.LISTED),
                config,
                Instant.ofEpochMilli(begun))) {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                driver.advanceWallClockTime(Duration.ofMillis(record.timestamp() - now.get()));
                now.set(record.timestamp());
                driver.createInputTopic(record.topic(), new ByteArraySerializer(), new ByteArraySerializer())
                        .pipeInput(new TestRecord<>(
                                record.key(),
                                record.value(),
                                record.headers(),
                                Instant.ofEpochMilli(record.timestamp())));
                take(driver, came);
            }
            now.addAndGet(30_000);
            driver.advanceWallClockTime(Duration.ofSeconds(30));
            take(driver, came);
        }
        return came;
    }

    private static void take(TopologyTestDriver driver, Map<String, List<TestRecord<byte[], byte[]>>> came) {
        came.forEach((topic, list) ->
                list.addAll(driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                        .readRecordsToList()));
    }
}
