package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import org.reactivestreams.Publisher;

/**
 * Readiness: the process has a complete snapshot and is not stopping. The age of the snapshot does not
 * matter, because an old one is worth more than none. When its venues or the broker are unavailable, every
 * gateway has an old snapshot. A balancer that removed them all would serve nothing.
 */
@Singleton
@Readiness
record CompleteSnapshot(CurrentSnapshot snapshots, GracefulStop stop, InstantSource clock) implements HealthIndicator {
    @Override
    public Publisher<HealthResult> getResult() {
        if (stop.begun()) {
            return Publishers.just(result(HealthStatus.DOWN, Map.of("reason", "this process is stopping")));
        }
        Snapshot snapshot = snapshots.current();
        if (snapshot == null) {
            return Publishers.just(
                    result(HealthStatus.DOWN, Map.of("reason", ErrorResponses.startingReason(snapshots.waitingFor()))));
        }
        long ageMs = clock.millis() - snapshot.generatedAtMs();
        return Publishers.just(result(
                HealthStatus.UP, Map.of("age_ms", ageMs, "rows", snapshot.rows(), "coverage", snapshot.coverage())));
    }

    private static HealthResult result(HealthStatus status, Map<String, Object> details) {
        return HealthResult.builder("gateway-snapshot", status).details(details).build();
    }
}
