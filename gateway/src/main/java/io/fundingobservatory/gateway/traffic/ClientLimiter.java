package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Remembers what clients requested, as far as the memory given to it goes, and judges the next request by that. One lock guards
 * it: a judgement takes well under a microsecond.
 */
public final class ClientLimiter {
    private static final long US_PER_MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final int[] NO_NAMES = {};

    private final Limits limits;
    private final List<Network> exempt;
    private final int seed;
    private final ClientTable clients;

    /**
     * A judge without any client remembered.
     *
     * @param exempt clients that are never refused: the operator's own
     * @param seed makes the hashes of names and clients this process's own
     */
    public ClientLimiter(Limits limits, List<Network> exempt, int seed) {
        this.limits = limits;
        this.exempt = List.copyOf(exempt);
        this.seed = seed;
        this.clients = new ClientTable(limits.memoryBytes());
    }

    /**
     * Judges a request and, if it is admitted, remembers it.
     *
     * @param nowUs microseconds of a clock that never goes back
     */
    public Verdict admit(Address client, RequestCost request, long nowUs) {
        if (Network.anyHolds(exempt, client)) {
            return Verdict.ADMITTED;
        }
        int[] names = hashes(request);
        List<Network> networks = Network.around(client);
        var slots = new int[networks.size()];
        synchronized (clients) {
            for (int i = 0; i < slots.length; i++) {
                slots[i] = clients.slot(hash(networks.get(i)), nowUs);
                Verdict verdict = countPoints(slots[i], request, times(i), nowUs);
                if (verdict instanceof Verdict.Refused) {
                    return verdict;
                }
            }
            // Names take longer to judge: only those are that the volume admits.
            for (int i = 0; i < slots.length && names.length > 0; i++) {
                Verdict verdict = clients.judge(slots[i], names, times(i), nowUs / 1_000_000, limits);
                if (verdict instanceof Verdict.Refused) {
                    return verdict;
                }
            }
            for (int i = 0; i < slots.length; i++) {
                clients.countUntil(slots[i], clients.countedUntilUs(slots[i]) + costUs(request, times(i)));
                if (names.length > 0) {
                    clients.take(slots[i], names, nowUs);
                }
            }
        }
        return Verdict.ADMITTED;
    }

    /** A /56 may do four, a /48 sixteen times as much as a /64. */
    private static int times(int level) {
        return 1 << (2 * level);
    }

    private Verdict countPoints(int slot, RequestCost request, int times, long nowUs) {
        // GCRA: what was requested so far lasts until its theoretical arrival time, which may lie ahead by the burst.
        long allowedUs = limits.burstPoints() * US_PER_MINUTE / limits.pointsPerMinute();
        long aheadUs = clients.countedUntilUs(slot) + costUs(request, times) - nowUs - allowedUs;
        return aheadUs <= 0
                ? Verdict.ADMITTED
                : new Verdict.Refused(Verdict.Cause.VOLUME, (int) Math.ceilDiv(aheadUs, 1_000_000L));
    }

    private long costUs(RequestCost request, int times) {
        return request.points() * US_PER_MINUTE / limits.pointsPerMinute() / times;
    }

    private int[] hashes(RequestCost request) {
        if (request.names().isEmpty()) {
            return NO_NAMES;
        }
        var hashes = new int[request.names().size()];
        int i = 0;
        for (String name : request.names()) {
            hashes[i++] = hash(name);
        }
        Arrays.sort(hashes);
        return hashes;
    }

    private long hash(Network network) {
        Address address = network.address();
        return mixed(mixed(address.high() ^ ((long) seed << 32 | network.bits())) + address.low());
    }

    /** The finaliser of SplitMix64: every bit of the result depends on every bit given. */
    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
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
    public long knownClients() {
        synchronized (clients) {
            return clients.used();
        }
    }
}
