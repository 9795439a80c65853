package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.CountsByNetwork;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open connections of the public port: those that are served, and those that get an error
 * response. It also counts all connections of each client and of the networks that it is in. Connections that
 * are not served take no place from those that are served.
 */
@Singleton
public final class OpenConnections {
    /** So many refusals get a response at a time; further connections are closed at once. */
    private static final int REFUSALS_WITH_RESPONSE = 256;

    /** A client with more than so many times its connections gets no refusal any more. */
    private static final int OVERRUN_TIMES = 2;

    private final PortSettings settings;
    private final ClientAddresses clients;
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountsByNetwork open = new CountsByNetwork();

    OpenConnections(PortSettings settings, ClientAddresses clients) {
        this.settings = settings;
        this.clients = clients;
    }

    enum Room {
        YES,
        /** All connections are taken. */
        FULL,
        /** The client, or its network, holds as many as one may. */
        FULL_FOR_CLIENT,
        /** Not even a refusal is sent. */
        OVERRUN
    }

    /** Counts one more; whatever the result, it is to be closed with {@link #closed}. */
    Room opened(Address peer) {
        int allowed = settings.clientConnections();
        boolean trusted = clients.trusts(peer);
        long held = open.add(peer, 1);
        if (!trusted && held > (long) OVERRUN_TIMES * allowed) {
            return Room.OVERRUN;
        }
        if (!trusted && held > allowed) {
            return refusal(Room.FULL_FOR_CLIENT);
        }
        if (served.incrementAndGet() <= settings.connections()) {
            return Room.YES;
        }
        served.decrementAndGet();
        return refusal(Room.FULL);
    }

    private Room refusal(Room why) {
        if (refused.incrementAndGet() <= REFUSALS_WITH_RESPONSE) {
            return why;
        }
        refused.decrementAndGet();
        return Room.OVERRUN;
    }

    /** Counts one less, for which {@link #opened} returned that room. */
    void closed(Address peer, Room room) {
        switch (room) {
            case YES -> served.decrementAndGet();
            case FULL, FULL_FOR_CLIENT -> refused.decrementAndGet();
            case OVERRUN -> {}
        }
        open.add(peer, -1);
    }

    public int count() {
        return served.get() + refused.get();
    }
}
