package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.tables.GatewayService;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import org.reactivestreams.Publisher;

/** Ready means: a complete snapshot, younger than a bound, in a process that is not stopping. */
@Singleton
@Readiness
final class CompleteSnapshot implements HealthIndicator {
    private final GatewayService service;
    private final GatewaySettings settings;
    private final Drain drain;

    CompleteSnapshot(GatewayService service, GatewaySettings settings, Drain drain) {
        this.service = service;
        this.settings = settings;
        this.drain = drain;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        if (drain.begun()) {
            return Publishers.just(result(HealthStatus.DOWN, Map.of("reason", "this process is stopping")));
        }
        Snapshot snapshot = service.current();
        if (snapshot == null) {
            return Publishers.just(
                    result(HealthStatus.DOWN, Map.of("reason", "the first complete list is not there yet")));
        }
        long ageMs = InstantSource.system().millis() - snapshot.generatedAtMs();
        HealthStatus status = ageMs > settings.readyWithin().toMillis() ? HealthStatus.DOWN : HealthStatus.UP;
        return Publishers.just(
                result(status, Map.of("age_ms", ageMs, "rows", snapshot.rows(), "coverage", snapshot.coverage())));
    }

    private static HealthResult result(HealthStatus status, Map<String, Object> details) {
        return HealthResult.builder("gateway-snapshot", status).details(details).build();
    }
}
