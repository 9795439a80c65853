package io.fundingobservatory.gateway.traffic;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;

/** Remembers what clients asked for, as far as the memory given to it goes, and judges the next request by that. */
public final class TrafficShape {
    private final Limits limits;
    private final List<Network> exempt;
    private final int seed;
    private final Cache<Key, Client> clients;

    /** A client, or a network around it. */
    private record Key(int bits, Address network) {}

    /**
     * A memory of nobody yet.
     *
     * @param exempt clients that are never refused: the operator's own
     * @param seed makes the hashes of names this process's own
     */
    public TrafficShape(Limits limits, List<Network> exempt, int seed) {
        this.limits = limits;
        this.exempt = List.copyOf(exempt);
        this.seed = seed;
        this.clients = Caffeine.newBuilder()
                .maximumWeight(limits.memoryBytes())
                .weigher((Key key, Client client) -> client.bytes())
                // On the caller's thread: what comes in is bounded at once and not some time later.
                .executor(Runnable::run)
                .build();
    }

    /**
     * Judges a request and, if it is admitted, remembers it.
     *
     * @param nowUs microseconds of a clock that never goes back
     */
    public Verdict admit(Address client, Request request, long nowUs) {
        if (Network.anyHolds(exempt, client)) {
            return Verdict.ADMITTED;
        }
        int[] names = request.names().stream()
                .mapToInt(this::hash)
                .sorted()
                .distinct()
                .toArray();
        int[] levels = client.version() == 4 ? new int[] {32} : new int[] {64, 56, 48};
        var asking = new Client[levels.length];
        for (int i = 0; i < levels.length; i++) {
            int times = 1 << (2 * i);
            asking[i] = clients.get(new Key(levels[i], client.network(levels[i])), key -> new Client(times));
            if (asking[i].judge(request, names, nowUs, limits) instanceof Verdict.Refused refused) {
                return refused;
            }
        }
        for (int i = 0; i < levels.length; i++) {
            int before = asking[i].bytes();
            asking[i].take(request, names, nowUs, limits);
            if (asking[i].bytes() != before) {
                // Weighed anew.
                clients.put(new Key(levels[i], client.network(levels[i])), asking[i]);
            }
        }
        return Verdict.ADMITTED;
    }

    private int hash(String name) {
        int hash = seed;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x01000193;
        }
        hash ^= hash >>> 16;
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    /** Clients and networks remembered. */
    public long remembered() {
        return clients.estimatedSize();
    }
}
