package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;

/** The state of this process, for orchestrators and balancers. */
@Factory
final class Health {
    /** Every thread that follows the tables and publishes still runs. One that has ended comes back with a new process only. */
    @Singleton
    @Liveness
    HealthIndicator threads(GatewayService service) {
        return () -> {
            List<String> dead = service.deadThreads();
            return result("gateway-threads", dead.isEmpty(), Map.of("dead", dead));
        };
    }

    /**
     * There is a complete snapshot. Its age does not matter: an old one is worth more than none. Without its venues or the broker
     * every gateway has an old one. A balancer that removed them all would serve nothing.
     */
    @Singleton
    @Readiness
    HealthIndicator snapshot(CurrentSnapshot snapshots, InstantSource clock) {
        return () -> {
            Snapshot snapshot = snapshots.current();
            if (snapshot == null) {
                return result(
                        "gateway-snapshot",
                        false,
                        Map.of("reason", ErrorResponses.startingReason(snapshots.waitingFor())));
            }
            long ageMs = clock.millis() - snapshot.generatedAtMs();
            return result(
                    "gateway-snapshot",
                    true,
                    Map.of("age_ms", ageMs, "rows", snapshot.rows(), "coverage", snapshot.coverage()));
        };
    }

    private static Publisher<HealthResult> result(String name, boolean up, Map<String, Object> details) {
        return Publishers.just(HealthResult.builder(name, up ? HealthStatus.UP : HealthStatus.DOWN)
                .details(details)
                .build());
    }
}
