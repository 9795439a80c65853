package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Network;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the bytes that are on their way to each client, and to the networks around it: a host with an IPv6 /64 is one client, and a
 * /56 and a /48 may have 4 and 16 times as many bytes under way.
 */
final class BytesUnderWay {
    private final Map<Network, Long> byNetwork = new ConcurrentHashMap<>();
    private final long clientMost;

    /** Counts against a bound for one client, in bytes. */
    BytesUnderWay(long clientMost) {
        this.clientMost = clientMost;
    }

    /** Whether so many bytes more fit. */
    boolean fits(Address client, long length) {
        long most = clientMost;
        for (Network network : Network.around(client)) {
            if (byNetwork.getOrDefault(network, 0L) + length > most) {
                return false;
            }
            most *= Network.TIMES_WIDER;
        }
        return true;
    }

    /** Counts bytes that are sent; the result takes them off again. */
    Runnable sent(Address client, long length) {
        List<Network> networks = Network.around(client);
        networks.forEach(network -> byNetwork.merge(network, length, Long::sum));
        return () -> networks.forEach(
                network -> byNetwork.computeIfPresent(network, (key, sum) -> sum <= length ? null : sum - length));
    }

    /** What is on its way to a client, bytes. */
    long of(Address client) {
        return byNetwork.getOrDefault(Network.around(client).getFirst(), 0L);
    }
}
