package io.fundingobservatory.runtime;

import io.fundingobservatory.topics.Release;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
                .description("1; the release, its commit and the JVM")
                .tag("release", Release.NAME)
                .tag("commit", commit())
                .tag("java", Runtime.version().toString())
                .register(meters);
    }

    /** Returns the abbreviated commit of the build; {@code unknown} where it was not built in a checkout. */
    private static String commit() {
        var build = new Properties();
        try (@Nullable InputStream in = SharedMeters.class.getResourceAsStream("commit.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("git.commit.id.abbrev", "unknown");
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
