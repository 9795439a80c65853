package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Callers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts open connections, all together and for each client. */
final class Connections {
    private final PortSettings settings;
    private final Callers callers;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<Address, Integer> byClient = new ConcurrentHashMap<>();

    Connections(PortSettings settings, Callers callers) {
        this.settings = settings;
        this.callers = callers;
    }

    /** Counts one more; whether there is room for it. Either way it is to be closed with {@link #closed}. */
    boolean opened(Address peer) {
        int held = byClient.merge(peer.client(), 1, Integer::sum);
        return all.incrementAndGet() <= settings.connections()
                && (held <= settings.clientConnections() || callers.trusts(peer));
    }

    void closed(Address peer) {
        all.decrementAndGet();
        byClient.computeIfPresent(peer.client(), (client, held) -> held == 1 ? null : held - 1);
    }
}
