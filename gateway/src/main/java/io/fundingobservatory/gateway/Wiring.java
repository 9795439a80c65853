package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Site;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Puts the gateway's parts together. */
@Factory
final class Wiring {
    @Singleton
    @Bean(preDestroy = "close")
    GatewayService gatewayService(GatewaySettings settings, KafkaSettings kafka, Environment environment) {
        GatewaySettings.unknownKey(environment.getProperties(GatewaySettings.PREFIX, StringConvention.RAW).keySet())
                .ifPresent(key -> {
                    throw new IllegalArgumentException(GatewaySettings.PREFIX + "." + key + " is not a setting of the gateway");
                });
        return new GatewayService(settings, kafka, InstantSource.system());
    }

    @Singleton
    Site site() {
        return new Site(ServedFiles.load(), InstantSource.system().millis());
    }
}
