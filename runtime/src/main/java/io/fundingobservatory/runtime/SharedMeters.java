package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.Release;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.Set;

/** The build of a service as a metric, and the metrics of its Kafka clients that are published. */
@Factory
final class SharedMeters {
    private static final String KAFKA = "kafka.";

    /** A Kafka Streams client has several hundred metrics, most of them for each node, task and partition. */
    private static final Set<String> PUBLISHED = Set.of(
            "kafka.consumer.fetch.manager.records.lag",
            "kafka.consumer.coordinator.rebalance.total",
            "kafka.producer.record.send.total",
            "kafka.producer.record.error.total",
            "kafka.producer.request.latency.max",
            "kafka.stream.thread.commit.latency.max");

    @Singleton
    MeterBinder build() {
        return meters -> Gauge.builder("observatory.build.info", () -> 1)
                .description("1; the release and the JVM")
                .tag("release", Release.NAME)
                .tag("java", Runtime.version().toString())
                .register(meters);
    }

    @Singleton
    MeterFilter kafkaClients() {
        return MeterFilter.deny(meter -> meter.getName().startsWith(KAFKA) && !isPublished(meter));
    }

    /** Kafka publishes a topic with a dot in its name a second time, with {@code _} in its place. */
    private static boolean isPublished(Meter.Id meter) {
        String topic = meter.getTag("topic");
        return PUBLISHED.contains(meter.getName()) && (topic == null || topic.indexOf('_') < 0);
    }
}
