package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fundingobservatory.gateway.fixture.LoggedLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    void logsCountsAndClosesOnUnhandledFailure() {
        channel.pipeline().fireExceptionCaught(new IllegalStateException("no such stream"));
        channel.checkException();
        assertEquals(
                List.of("connection failed and is closed cause=java.lang.IllegalStateException: no such stream"),
                lines.all());
        assertEquals(1, failed());
        assertFalse(channel.isActive());
    }

    @ParameterizedTest
    @MethodSource("ofTheConnection")
    void clientResetClosesConnectionWithoutLogLine(Exception failure) {
        channel.pipeline().fireExceptionCaught(failure);
        channel.checkException();
        assertEquals(List.of(), lines.all());
        assertEquals(0, failed());
        assertFalse(channel.isActive());
    }

    static List<Exception> ofTheConnection() {
        return List.of(
                new SocketException("Connection reset"),
                new SSLException("closed already"),
                new DecoderException(new SSLException("no record of TLS")));
    }

    @Test
    void writeToClosedConnectionIsNotFailure() {
        ended.set(true);
        channel.pipeline().fireExceptionCaught(new IllegalStateException("stream 3 is gone"));
        channel.checkException();
        assertEquals(List.of(), lines.all());
        assertEquals(0, failed());
    }
}
