package io.fundingobservatory.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 at which every connection is refused: it is bound without a listener. Unlike a port that was free a moment
 * ago, no other process can take it meanwhile.
 */
public final class ClosedPort implements AutoCloseable {
    private final Socket bound = new Socket();

    /** Holds a free port until it is closed. */
    public ClosedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    }

    public int number() {
        return bound.getLocalPort();
    }

    /** The host and the port, as in {@code 127.0.0.1:40123}. */
    public String address() {
        return "127.0.0.1:" + number();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
