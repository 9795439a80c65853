package io.fundingobservatory.ingest;

import io.fundingobservatory.ingest.client.HttpTransport;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.runtime.KafkaSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import jakarta.inject.Singleton;
import java.time.InstantSource;

@Factory
final class IngestFactory {
    /** The service, which has not started. {@link IngestLifecycle} closes it. */
    @Singleton
    IngestService ingestService(
            IngestSettings settings, IngestMetrics metrics, HttpTransport http, Environment environment) {
        return new IngestService(settings, KafkaSettings.read(environment), InstantSource.system(), metrics, http);
    }

    @Singleton
    IngestMetrics ingestMetrics(MeterRegistry meters) {
        return new IngestMetrics(meters, Time.real(InstantSource.system()));
    }
}
