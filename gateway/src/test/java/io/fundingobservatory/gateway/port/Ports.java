package io.fundingobservatory.gateway.port;

import io.fundingobservatory.gateway.settings.PortSettings;
import java.time.Duration;

/** Settings of the public port for tests. */
final class Ports {
    /** The published limits. */
    static final PortSettings STANDARD = new PortSettings(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            32_768,
            Duration.ofSeconds(60),
            2_048,
            32,
            16,
            96,
            Duration.ZERO);

    private Ports() {}
}
