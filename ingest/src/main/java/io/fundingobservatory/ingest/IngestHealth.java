package io.fundingobservatory.ingest;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import org.reactivestreams.Publisher;

/**
 * Up while each of its venues reports, and at least one has rows. Kafka must acknowledge
 * records, and the clock must agree with the brokers'.
 */
@Singleton
final class IngestHealth implements HealthIndicator {
    private final IngestService ingest;

    IngestHealth(IngestService ingest) {
        this.ingest = ingest;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        IngestService.Health health = ingest.health();
        return Publishers.just(HealthResult.builder("ingest", health.isUp() ? HealthStatus.UP : HealthStatus.DOWN)
                .details(details(health))
                .build());
    }

    private static Map<String, Object> details(IngestService.Health health) {
        var details = new HashMap<String, Object>(Map.of(
                "venues_polled", health.polled(),
                "venues_failing", health.failing(),
                "venues_silent", health.silent().stream().sorted().toList(),
                "broker_reachable", health.brokerReachable()));
        String clock = health.clockProblem();
        if (clock != null) {
            details.put("reason", clock);
        } else if (health.allFail()) {
            details.put(
                    "reason", "no venue responds with rows: check the network and the proxy, or use simulated venues");
        }
        return details;
    }
}
