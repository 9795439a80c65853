package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.publishing.GatewayService.StartingBroker;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.SettingsCheck;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.runtime.KafkaSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
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
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Puts the gateway's parts together, and reports their state to orchestrators and balancers. */
@Factory
final class Wiring {
    /**
     * Follows the tables while the ports are being opened.
     *
     * @param broker a broker that starts in this process; null where brokers are other processes
     */
    @Context
    @Bean(preDestroy = "close")
    GatewayService gatewayService(
            SettingsCheck settingsAreSound,
            GatewaySettings settings,
            Environment environment,
            InstantSource clock,
            MeterRegistry meters,
            @Nullable StartingBroker broker) {
        var service = new GatewayService(settings, KafkaSettings.read(environment), clock, meters);
        if (broker == null) {
            service.start();
        } else {
            broker.listening().thenRun(service::start);
        }
        return service;
    }

    @Singleton
    ClientLimiter clientLimiter(GatewaySettings.Traffic settings) {
        List<Address> exempt = Address.ranges(settings.exempt());
        return new ClientLimiter(
                settings.limits(), exempt, ThreadLocalRandom.current().nextInt());
    }

    @Singleton
    ClientAddresses clientAddresses(GatewaySettings.Traffic settings) {
        return new ClientAddresses(Address.ranges(settings.trustedProxies()), settings.forwardingHeader());
    }

    /** Made before the port opens: no request waits for it. */
    @Context
    Site site(InstantSource clock, GatewaySettings settings, GatewaySettings.Traffic traffic, GatewayService service) {
        var files = Files.load(settings.securityContact(), clock.instant());
        return new Site(files, clock.millis(), traffic.limits(), service::waitingFor);
    }

    /** Every thread that follows the tables and publishes still runs. One that has ended comes back with a new process only. */
    @Singleton
    @Liveness
    HealthIndicator liveness(GatewayService service) {
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
    HealthIndicator readiness(CurrentSnapshot snapshots, InstantSource clock) {
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
