package io.fundingobservatory.gateway.port;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;

/** When the streams of an HTTP/2 connection were last opened and closed. Its event loop uses it. */
final class Http2Streams extends Http2ConnectionAdapter {
    private final Http2Connection connection;
    private long changedNs = System.nanoTime();

    Http2Streams(Http2Connection connection) {
        this.connection = connection;
        connection.addListener(this);
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
        changedNs = System.nanoTime();
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        changedNs = System.nanoTime();
    }

    /** Whether an answer is under way. */
    boolean active() {
        return connection.numActiveStreams() > 0;
    }

    /** Whether nothing has been asked for this long, whatever other frames came. */
    boolean silent(Duration timeout) {
        return !active() && System.nanoTime() - changedNs >= timeout.toNanos();
    }
}
