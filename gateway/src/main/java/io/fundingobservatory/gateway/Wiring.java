package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.gateway.publishing.GatewayService.StartingBroker;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.settings.TrafficSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ClientLimiter;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.runtime.KafkaSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Puts the gateway's parts together. */
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
    Limits limits(TrafficSettings settings) {
        return settings.limits();
    }

    @Singleton
    ClientLimiter clientLimiter(TrafficSettings settings) {
        List<Address> exempt = Address.ranges(settings.exempt());
        return new ClientLimiter(
                settings.limits(), exempt, ThreadLocalRandom.current().nextInt());
    }

    @Singleton
    ClientAddresses clientAddresses(TrafficSettings settings) {
        return new ClientAddresses(Address.ranges(settings.trustedProxies()), settings.forwardingHeader());
    }

    /** Made before the port opens: no request waits for it. */
    @Context
    Site site(InstantSource clock, Limits limits, GatewaySettings settings, GatewayService service) {
        var files = ServedFiles.load(settings.securityContact(), clock.instant());
        return new Site(files, clock.millis(), limits, service::waitingFor);
    }
}
