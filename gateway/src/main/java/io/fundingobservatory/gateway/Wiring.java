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
import io.micronaut.http.netty.channel.DefaultEventLoopGroupConfiguration;
import io.micronaut.http.netty.channel.EventLoopGroupConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
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

    /**
     * The threads that accept connections. They are a bean because the server would end threads of its own before anything else. The management
     * port would end with them, and readiness could not report the stop. {@code configured} is null where no setting names event loops.
     */
    @Singleton
    @Named(NettyHttpServerConfiguration.Parent.NAME)
    EventLoopGroupConfiguration accepting(
            @Nullable @Named(EventLoopGroupConfiguration.DEFAULT) EventLoopGroupConfiguration configured) {
        EventLoopGroupConfiguration usual = configured == null ? new DefaultEventLoopGroupConfiguration() : configured;
        return new DefaultEventLoopGroupConfiguration(
                NettyHttpServerConfiguration.Parent.NAME,
                1,
                usual.getThreadCoreRatio(),
                null,
                false,
                usual.getTransport(),
                null,
                Duration.ZERO,
                Duration.ofSeconds(1),
                false);
    }

    /** Made before the port opens: no request waits for it. */
    @Context
    Site site(InstantSource clock, Limits limits, GatewaySettings settings, GatewayService service) {
        var files = ServedFiles.load(settings.securityContact(), clock.instant());
        return new Site(files, clock.millis(), limits, service::waitingFor);
    }
}
