package io.fundingobservatory.gateway.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.LoggedLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnhandledFailuresTest {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new UnhandledFailures(ended::get, new RefusalMeters(meters)));

    @RegisterExtension
    private final LoggedLines lines = LoggedLines.of("io");

    private double failed() {
        return meters.get("observatory.gateway.refused")
                .tag("reason", "failed")
                .counter()
                .count();
    }

    @Test
    void aFailureThatNobodyTookIsOneLineIsCountedAndEndsTheConnection() {
        channel.pipeline().fireExceptionCaught(new IOException("no such frame"));
        channel.checkException();
        assertEquals(List.of("connection failed and is closed cause=java.io.IOException: no such frame"), lines.all());
        assertEquals(1, failed());
        assertFalse(channel.isActive());
    }

    @Test
    void whatCannotBeWrittenToAConnectionThatWasEndedIsNoFailure() {
        ended.set(true);
        for (int stream = 1; stream < 200; stream += 2) {
            channel.pipeline().fireExceptionCaught(new IOException("SSLEngine closed already"));
        }
        channel.checkException();
        assertEquals(List.of(), lines.all());
        assertEquals(0, failed());
        assertTrue(channel.isActive(), "what was written before is still being sent");
    }
}
