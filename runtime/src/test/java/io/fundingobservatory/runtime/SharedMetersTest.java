package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SharedMetersTest {
    @Test
    void publishesChosenKafkaMetricsOnly() {
        MeterRegistry meters = new SimpleMeterRegistry();
        meters.config().meterFilter(new SharedMeters().kafkaClients());
        meters.counter("kafka.consumer.fetch.manager.records.lag", "topic", "quotes.raw", "partition", "0");
        meters.counter("kafka.consumer.fetch.manager.records.lag", "topic", "quotes_raw", "partition", "0");
        meters.counter("kafka.consumer.fetch.manager.records.lag.max", "topic", "quotes.raw", "partition", "0");
        meters.counter("kafka.producer.record.error.total", "client.id", "a_b");
        meters.counter("kafka.producer.topic.record.error.total", "topic", "quotes.raw");
        meters.counter("observatory.ingest.polls", "venue", "okx");
        assertEquals(
                Set.of(
                        "kafka.consumer.fetch.manager.records.lag quotes.raw",
                        "kafka.producer.record.error.total null",
                        "observatory.ingest.polls null"),
                meters.getMeters().stream()
                        .map(meter ->
                                meter.getId().getName() + ' ' + meter.getId().getTag("topic"))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void buildInCheckoutNamesItsCommit() {
        var meters = new SimpleMeterRegistry();
        new SharedMeters().build().bindTo(meters);
        String commit = meters.get("observatory.build.info").gauge().getId().getTag("commit");
        assertEquals(Files.exists(Path.of("../.git")), String.valueOf(commit).matches("[0-9a-f]{7,40}"), commit);
    }
}
