package io.fundingobservatory.gateway.settings;

import java.time.Duration;

/** The public port with the limits that are published, for tests. */
public final class StandardPort {
    public static final PortSettings SETTINGS = new PortSettings(
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

    private StandardPort() {}
}
