package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Network;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what is under way for each client, and for the networks around it. A host with an IPv6 /64 is one
 * client. A /56 and a /48 may have 4 and 16 times as much under way.
 */
final class CountsByNetwork {
    private final Map<Network, Long> byNetwork = new ConcurrentHashMap<>();
    private final long clientMost;

    /** Counts against a bound for one client. */
    CountsByNetwork(long clientMost) {
        this.clientMost = clientMost;
    }

    /** Whether so much more fits. */
    boolean fits(Address client, long amount) {
        long most = clientMost;
        for (Network network : Network.around(client)) {
            if (byNetwork.getOrDefault(network, 0L) + amount > most) {
                return false;
            }
            most *= Network.TIMES_WIDER;
        }
        return true;
    }

    /** Counts what has begun; the result takes it off again. */
    Runnable begun(Address client, long amount) {
        List<Network> networks = Network.around(client);
        networks.forEach(network -> byNetwork.merge(network, amount, Long::sum));
        return () -> networks.forEach(
                network -> byNetwork.computeIfPresent(network, (key, sum) -> sum <= amount ? null : sum - amount));
    }

    /** What is under way for a client. */
    long of(Address client) {
        return byNetwork.getOrDefault(Network.around(client).getFirst(), 0L);
    }
}
