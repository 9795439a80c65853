package io.fundingobservatory.faults.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The network between one client and one server: a port that leads to another. It can add delay, limit the
 * bandwidth, drop either direction, and cut. It can also cut between a Kafka request and its response. It
 * counts what it did, so that a test can show that its fault fired.
 */
public final class Link implements AutoCloseable {
    /** Which way bytes go. */
    public enum Way {
        TO_SERVER,
        TO_CLIENT
    }

    private final ServerSocket listening;
    private final int target;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    private volatile Duration delay = Duration.ZERO;
    private volatile long bytesPerSecond;
    private volatile Set<Way> silent = Set.of();
    private volatile boolean refusing;
    private volatile int trappedApi = -1;
    private volatile int heldApi = -1;
    private volatile boolean holding;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong trapped = new AtomicLong();

    private Link(int target) {
        this.target = target;
        try {
            this.listening = new ServerSocket(0, 256, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("link-" + target).start(this::accept);
    }

    /** A link to a port of this machine; nobody needs to listen there yet. */
    public static Link to(int port) {
        return new Link(port);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Every byte arrives so much later. */
    public Link delayed(Duration by) {
        delay = by;
        return this;
    }

    /** So many bytes a second in each direction; 0 for no bound. */
    public Link narrowed(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
        return this;
    }

    /** Drops one direction without closing the connection; sent bytes wait, as in TCP buffers. */
    public Link silenced(Way... ways) {
        silent = Set.of(ways);
        return this;
    }

    /** Every connection is reset, and new ones as well until {@link #heal}. */
    public void cutOff() {
        refusing = true;
        cut();
    }

    /** Every connection is reset; new ones are made. */
    public void cut() {
        for (Connection connection : connections) {
            cuts.incrementAndGet();
            connection.reset();
        }
    }

    /** The next request of a kind reaches the broker, and the connection is reset before its response; 26 is {@code EndTxn}. */
    public void trap(int api) {
        trappedApi = api;
    }

    /** The next request of a kind does not reach the broker, nor anything behind it, until {@link #heal}. */
    public void hold(int api) {
        heldApi = api;
    }

    /** Whether a request is held back. */
    public boolean holds() {
        return holding;
    }

    /** Undisturbed again. What waits arrives. */
    public void heal() {
        heldApi = -1;
        holding = false;
        delay = Duration.ZERO;
        bytesPerSecond = 0;
        silent = Set.of();
        refusing = false;
        trappedApi = -1;
    }

    /** Connections that were reset. */
    public long cuts() {
        return cuts.get();
    }

    /** Requests after which the trap has cut. */
    public long trapped() {
        return trapped.get();
    }

    /** Bytes that arrived, both ways. */
    public long bytes() {
        return bytes.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) {
        var server = new Socket();
        try {
            if (refusing) {
                Connection.reset(client);
                return;
            }
            server.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), target), 5_000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            var connection = new Connection(this, client, server);
            connections.add(connection);
            connection.run();
        } catch (IOException e) {
            Connection.reset(client);
            Connection.reset(server);
        }
    }

    Duration delay() {
        return delay;
    }

    long bytesPerSecond() {
        return bytesPerSecond;
    }

    boolean isSilent(Way way) {
        return silent.contains(way);
    }

    void arrived(int count) {
        bytes.addAndGet(count);
    }

    void ended(Connection connection) {
        connections.remove(connection);
    }

    /** Whether a request of this kind springs the trap; it springs once. */
    synchronized boolean springs(int api) {
        if (api != trappedApi) {
            return false;
        }
        trappedApi = -1;
        trapped.incrementAndGet();
        return true;
    }

    /** Whether a request of this kind is to be held back; one is. */
    synchronized boolean isHeld(int api) {
        if (api != heldApi) {
            return false;
        }
        heldApi = -1;
        holding = true;
        return true;
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::reset);
    }
}
