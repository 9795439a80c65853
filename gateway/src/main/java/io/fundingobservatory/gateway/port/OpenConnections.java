package io.fundingobservatory.gateway.port;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.Network;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the open connections of the public port: all together, for each client, and for the networks that a client is in. */
@Singleton
public final class OpenConnections {
    /** So many above the bound get an answer that says why; further ones are closed at once. */
    private static final int ANSWERED_ABOVE = 256;

    private final PortSettings settings;
    private final ClientAddresses clients;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<Network, Integer> byNetwork = new ConcurrentHashMap<>();

    OpenConnections(PortSettings settings, ClientAddresses clients) {
        this.settings = settings;
        this.clients = clients;
    }

    /** Whether there is room for one more. */
    enum Room {
        YES,
        FULL,
        FULL_FOR_CLIENT,
        OVERRUN
    }

    /** Counts one more; whatever the answer, it is to be closed with {@link #closed}. */
    Room opened(Address peer) {
        int count = all.incrementAndGet();
        boolean fits = true;
        int allowed = settings.clientConnections();
        for (Network network : networks(peer)) {
            fits &= byNetwork.merge(network, 1, Integer::sum) <= allowed;
            allowed *= 4;
        }
        if (count > settings.connections() + ANSWERED_ABOVE) {
            return Room.OVERRUN;
        }
        if (count > settings.connections()) {
            return Room.FULL;
        }
        return fits || clients.trusts(peer) ? Room.YES : Room.FULL_FOR_CLIENT;
    }

    void closed(Address peer) {
        all.decrementAndGet();
        for (Network network : networks(peer)) {
            byNetwork.computeIfPresent(network, (key, held) -> held == 1 ? null : held - 1);
        }
    }

    /** The client's own, and those around it that may hold 4 and 16 times as many: an IPv6 client's /64, /56 and /48. */
    private static List<Network> networks(Address peer) {
        if (peer.version() == 4) {
            return List.of(new Network(peer, 32));
        }
        var networks = new ArrayList<Network>(3);
        for (int bits : new int[] {64, 56, 48}) {
            networks.add(new Network(peer.network(bits), bits));
        }
        return networks;
    }

    public int count() {
        return all.get();
    }
}
