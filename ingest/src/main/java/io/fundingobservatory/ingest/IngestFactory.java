package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.topics.kafka.KafkaAccess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Ingest out of the application's settings. */
@Factory
final class IngestFactory {
    /** The service, which has not started. {@link IngestLifecycle} closes it. */
    @Singleton
    IngestService ingestService(
            IngestSettings settings, MeterRegistry meters, HttpTransport http, Environment environment) {
        return new IngestService(settings, kafkaAccess(environment), InstantSource.system(), meters, http);
    }

    private static KafkaAccess kafkaAccess(Environment environment) {
        return KafkaAccess.of(
                key -> environment
                        .getProperty(KafkaAccess.PREFIX + "." + key, String.class)
                        .orElse(null),
                environment.getPropertyEntries(KafkaAccess.PREFIX),
                environment.getProperties(KafkaAccess.PREFIX + ".client", StringConvention.RAW),
                System.getenv());
    }
}
