package io.fundingobservatory.gateway.traffic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is under way for each client, and for the networks around it. A host with an IPv6 /64 is one
 * client. A /56 and a /48 may have 4 and 16 times as much under way.
 */
public final class CountsByNetwork {
    private final Map<Network, Long> byNetwork = new ConcurrentHashMap<>();

    /**
     * What a client would have under way with so much more. It is its own amount, or its part of a wider network's
     * where that is larger.
     */
    public long with(Address client, long more) {
        return largest(client, network -> byNetwork.getOrDefault(network, 0L) + more);
    }

    /** Counts what has begun, or with a negative amount what has ended; returns what the client has under way then, as {@link #with}. */
    public long add(Address client, long amount) {
        return largest(client, network -> {
            @Nullable Long sum = byNetwork.merge(network, amount, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
            return sum == null ? 0 : sum;
        });
    }

    private static long largest(Address client, ToLongFunction<Network> sum) {
        long largest = 0;
        long times = 1;
        for (Network network : Network.around(client)) {
            largest = Math.max(largest, Math.ceilDiv(sum.applyAsLong(network), times));
            times *= Network.TIMES_WIDER;
        }
        return largest;
    }
}
