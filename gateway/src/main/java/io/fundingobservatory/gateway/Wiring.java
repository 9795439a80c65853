package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Site;
import io.fundingobservatory.gateway.traffic.Callers;
import io.fundingobservatory.gateway.traffic.Network;
import io.fundingobservatory.gateway.traffic.TrafficShape;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Puts the gateway's parts together. */
@Factory
final class Wiring {
    @Singleton
    @Bean(preDestroy = "close")
    GatewayService gatewayService(GatewaySettings settings, KafkaSettings kafka, Environment environment) {
        GatewaySettings.unknownKey(environment
                        .getProperties(GatewaySettings.PREFIX, StringConvention.RAW)
                        .keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(
                            GatewaySettings.PREFIX + "." + key + " is not a setting of the gateway");
                });
        TrafficSettings.unknownKey(environment
                        .getProperties(TrafficSettings.PREFIX, StringConvention.RAW)
                        .keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(
                            TrafficSettings.PREFIX + "." + key + " is not a setting of the gateway");
                });
        PortSettings.unknownKey(environment
                        .getProperties(PortSettings.PREFIX, StringConvention.RAW)
                        .keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(
                            PortSettings.PREFIX + "." + key + " is not a setting of the gateway");
                });
        return new GatewayService(settings, kafka, InstantSource.system());
    }

    @Singleton
    TrafficShape trafficShape(TrafficSettings settings) {
        List<Network> exempt = Network.list(settings.exempt() == null ? "" : settings.exempt());
        return new TrafficShape(
                settings.limits(), exempt, ThreadLocalRandom.current().nextInt());
    }

    @Singleton
    Callers callers(TrafficSettings settings) {
        return new Callers(Network.list(settings.trustedProxies() == null ? "" : settings.trustedProxies()));
    }

    /** Made before the port opens: no request waits for it. */
    @Context
    Site site() {
        var site = new Site(ServedFiles.load(), InstantSource.system().millis());
        // The native libraries take a while to be there; the start does not wait for them.
        Thread.ofPlatform().daemon().name("gateway-file-packer").start(() -> Packers.available()
                .forEach(site::pack));
        return site;
    }
}
