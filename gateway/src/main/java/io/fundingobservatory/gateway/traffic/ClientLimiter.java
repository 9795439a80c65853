package io.fundingobservatory.gateway.traffic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what clients requested, as far as the memory given to it goes, and judges the next request by that. Those that have been
 * away longest are forgotten first. One lock guards it: a judgement takes well under a microsecond.
 */
public final class ClientLimiter {
    private static final long US_PER_MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final int[] NO_NAMES = {};
    /** What one without named symbols or assets takes at most. */
    private static final int CLIENT_BYTES = 192;

    private final Limits limits;
    private final List<Network> exempt;
    private final int seed;
    /** By a hash of the network, the one that has been away longest first. */
    private final SequencedMap<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

    private long historyBytes;

    private static final class Client {
        /** Until when what it requested so far lasts; no earlier than its last request. */
        private long countedUntilUs;

        private @Nullable ClientHistory history;

        private Client(long nowUs) {
            countedUntilUs = nowUs;
        }
    }

    /** Clients in {@code exempt} are never refused: the operator's own. {@code seed} makes the hashes of clients this process's own. */
    public ClientLimiter(Limits limits, List<Network> exempt, int seed) {
        this.limits = limits;
        this.exempt = List.copyOf(exempt);
        this.seed = seed;
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
        var known = new ArrayList<Client>(networks.size());
        synchronized (clients) {
            for (Network network : networks) {
                Client one = clients.computeIfAbsent(hash(network), hash -> new Client(nowUs));
                one.countedUntilUs = Math.max(one.countedUntilUs, nowUs);
                Verdict verdict = countPoints(one, request, times(known.size()), nowUs);
                known.add(one);
                if (verdict instanceof Verdict.Refused) {
                    forget();
                    return verdict;
                }
            }
            // Names take longer to judge: only those are that the volume admits.
            for (int i = 0; i < known.size() && names.length > 0; i++) {
                // Nothing is remembered of who has nothing admitted.
                ClientHistory history = Objects.requireNonNullElseGet(known.get(i).history, ClientHistory::new);
                Verdict verdict = history.judge(names, times(i), nowUs / 1_000_000, limits);
                if (verdict instanceof Verdict.Refused) {
                    forget();
                    return verdict;
                }
            }
            for (int i = 0; i < known.size(); i++) {
                known.get(i).countedUntilUs += costUs(request, times(i));
                take(known.get(i), names, nowUs);
            }
            forget();
        }
        return Verdict.ADMITTED;
    }

    private void take(Client client, int[] names, long nowUs) {
        if (names.length > 0) {
            ClientHistory former = client.history;
            ClientHistory history = former == null ? new ClientHistory() : former;
            historyBytes -= former == null ? 0 : former.bytes();
            history.take(names, nowUs);
            historyBytes += history.bytes();
            client.history = history;
        }
    }

    private void forget() {
        while (clients.size() * (long) CLIENT_BYTES + historyBytes > limits.memoryBytes()) {
            ClientHistory history = clients.pollFirstEntry().getValue().history;
            historyBytes -= history == null ? 0 : history.bytes();
        }
    }

    /** A /56 may do four, a /48 sixteen times as much as a /64. */
    private static int times(int level) {
        return 1 << (2 * level);
    }

    private Verdict countPoints(Client client, RequestCost request, int times, long nowUs) {
        // GCRA: what was requested so far lasts until its theoretical arrival time, which may lie ahead by the burst.
        long allowedUs = limits.burstPoints() * US_PER_MINUTE / limits.pointsPerMinute();
        long aheadUs = client.countedUntilUs + costUs(request, times) - nowUs - allowedUs;
        return aheadUs <= 0
                ? Verdict.ADMITTED
                : new Verdict.Refused(Verdict.Cause.VOLUME, (int) Math.ceilDiv(aheadUs, 1_000_000L));
    }

    private long costUs(RequestCost request, int times) {
        // What costs more than the burst takes all of it: otherwise it could never be had.
        double points = Math.min(request.points(), limits.burstPoints());
        return (long) (points * US_PER_MINUTE / limits.pointsPerMinute() / times);
    }

    /** Hashes of the names, sorted. Only names that the lists have are counted, so that nobody can choose some with equal hashes. */
    private static int[] hashes(RequestCost request) {
        return request.names().isEmpty()
                ? NO_NAMES
                : request.names().stream().mapToInt(String::hashCode).sorted().toArray();
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

    public long knownClients() {
        synchronized (clients) {
            return clients.size();
        }
    }
}
