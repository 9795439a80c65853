package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Callers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of the public port: counts them, all together and for each client, and ends them at shutdown. */
final class Connections {
    /** So many more are told that there is no room; beyond them they are closed without a word. */
    private static final int TOLD = 256;

    private final PortSettings settings;
    private final Callers callers;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<Address, Integer> byClient = new ConcurrentHashMap<>();
    private final Set<GuardedConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    Connections(PortSettings settings, Callers callers) {
        this.settings = settings;
        this.callers = callers;
    }

    /** Whether there is room for one more. */
    enum Room {
        YES,
        FULL,
        FULL_FOR_CLIENT,
        OVERRUN
    }

    /** Counts one more; whatever the answer, it is to be closed with {@link #closed}. */
    Room opened(GuardedConnection connection, Address peer) {
        open.add(connection);
        int held = byClient.merge(peer.client(), 1, Integer::sum);
        int count = all.incrementAndGet();
        if (draining || count > settings.connections() + TOLD) {
            return Room.OVERRUN;
        }
        if (count > settings.connections()) {
            return Room.FULL;
        }
        return held <= settings.clientConnections() || callers.trusts(peer) ? Room.YES : Room.FULL_FOR_CLIENT;
    }

    void closed(GuardedConnection connection, Address peer) {
        open.remove(connection);
        all.decrementAndGet();
        byClient.computeIfPresent(peer.client(), (client, held) -> held == 1 ? null : held - 1);
    }

    int count() {
        return all.get();
    }

    /** Whether this process is stopping: every answer is the last of its connection. */
    boolean draining() {
        return draining;
    }

    /**
     * Ends every connection once what was asked on it is answered.
     *
     * @return how many were cut off because that took too long
     */
    int drain(Duration patience) throws InterruptedException {
        draining = true;
        open.forEach(GuardedConnection::drain);
        long end = System.nanoTime() + patience.toNanos();
        while (!open.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return open.size();
    }
}
