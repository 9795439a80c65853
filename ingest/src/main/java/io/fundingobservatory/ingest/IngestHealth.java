package io.fundingobservatory.ingest;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/** Up while this process takes part in sharing the venues, each of its own reports, and Kafka acknowledges what it publishes. */
@Singleton
final class IngestHealth implements HealthIndicator {
    private final IngestLifecycle ingest;

    IngestHealth(IngestLifecycle ingest) {
        this.ingest = ingest;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        IngestService.Health health = ingest.service().health();
        return Publishers.just(HealthResult.builder("ingest", health.isUp() ? HealthStatus.UP : HealthStatus.DOWN)
                .details(ingest.details())
                .build());
    }
}
