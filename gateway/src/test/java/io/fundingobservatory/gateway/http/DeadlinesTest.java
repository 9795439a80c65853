package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final long NO_TIMER = -1;

    /** A timer that goes on would hold the handlers of a closed connection until its deadline. */
    @Test
    void closedConnectionLeavesNoTimer() {
        var second = Duration.ofSeconds(1);
        var deadlines = new Deadlines(
                new GatewaySettings.Port(second, second, second, 1, 1), new PortMeters(new SimpleMeterRegistry()));
        var channel = new EmbeddedChannel(deadlines.firstByte(), deadlines);
        channel.writeInbound(Unpooled.buffer().writeByte('G'));
        // The head of a response whose last part is never written.
        channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertTrue(channel.runScheduledPendingTasks() > 0);
        channel.pipeline().fireChannelInactive();
        assertEquals(NO_TIMER, channel.runScheduledPendingTasks());
        channel.finishAndReleaseAll();
    }
}
