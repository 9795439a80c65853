package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.publishing.GatewayService;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;

/** Alive means: every thread that follows the tables and publishes still runs. One that has ended comes back with a new process only. */
@Singleton
@Liveness
record ThreadsAlive(GatewayService service) implements HealthIndicator {
    @Override
    public Publisher<HealthResult> getResult() {
        List<String> dead = service.deadThreads();
        return Publishers.just(
                HealthResult.builder("gateway-threads", dead.isEmpty() ? HealthStatus.UP : HealthStatus.DOWN)
                        .details(Map.of("dead", dead))
                        .build());
    }
}
