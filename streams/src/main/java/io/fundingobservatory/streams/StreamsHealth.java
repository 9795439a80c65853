package io.fundingobservatory.streams;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;

/** Up while every partition of this process is being worked on and every topic that it needs is there. */
@Singleton
final class StreamsHealth implements HealthIndicator {
    private final StreamsService service;

    StreamsHealth(StreamsService service) {
        this.service = service;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        HealthStatus status = service.isRunning() ? HealthStatus.UP : HealthStatus.DOWN;
        return Publishers.just(HealthResult.builder("streams", status)
                .details(Map.of("state", service.state(), "rates", service.ratesRun(), "pairs", service.pairsRun()))
                .build());
    }
}
