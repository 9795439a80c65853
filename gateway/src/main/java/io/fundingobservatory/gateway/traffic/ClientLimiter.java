package io.fundingobservatory.gateway.traffic;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what clients requested, as far as the memory given to it goes, and judges the next request by that. Those that have been
 * away longest are forgotten first. One lock guards it: a judgement takes well under a microsecond.
 */
public final class ClientLimiter {
    private static final long US_PER_MINUTE = TimeUnit.MINUTES.toMicros(1);
    /** What one without named symbols or assets takes at most. */
    private static final int CLIENT_BYTES = 192;

    /**
     * The limits of one IPv4 address or IPv6 /64, as settings name them; a /56 may do four times, a /48 sixteen times as much. Times are in
     * seconds, the memory for all clients together is in bytes.
     */
    public record Limits(
            int pointsPerMinute,
            int burstPoints,
            int windowS,
            int sweepNames,
            int sweepPercent,
            int windowNames,
            int hourNames,
            int requestNames,
            long memoryBytes) {}

    /**
     * Why a request is refused.
     *
     * @param retryAfterS seconds after which the same request is admitted
     * @param recent names that the client looked at within the hour, the latest first; empty where it named none
     */
    public record Refusal(Cause cause, int retryAfterS, List<String> recent) {
        public enum Cause {
            /** Too much in too short a time. */
            VOLUME,
            /** Many different symbols or assets in requests of their own, most of them looked at once. */
            SWEEP,
            /** Too many different symbols or assets, however they are named. */
            NAMES
        }

        public Refusal {
            recent = List.copyOf(recent);
        }
    }

    private final Limits limits;
    private final List<Address> exempt;
    private final int seed;
    /** By a hash of the network, the one that has been away longest first. */
    private final SequencedMap<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

    private long historyBytes;

    private static final class Client {
        /** Until when what it requested so far lasts; no earlier than its last request. */
        private long countedUntilUs;

        private @Nullable NameHistory names;

        private Client(long nowUs) {
            countedUntilUs = nowUs;
        }
    }

    /** Clients in {@code exempt} are never refused: the operator's own. {@code seed} makes the hashes of clients this process's own. */
    public ClientLimiter(Limits limits, List<Address> exempt, int seed) {
        this.limits = limits;
        this.exempt = List.copyOf(exempt);
        this.seed = seed;
    }

    /**
     * Judges the points of a request and, if it is admitted, counts them.
     *
     * @param nowUs microseconds of a clock that never goes back
     * @return null where it is admitted
     */
    public @Nullable Refusal admit(Address client, int points, long nowUs) {
        if (client.isIn(exempt)) {
            return null;
        }
        // GCRA: what was requested so far lasts until its theoretical arrival time, which may lie ahead by the burst.
        long allowedUs = limits.burstPoints() * US_PER_MINUTE / limits.pointsPerMinute();
        synchronized (clients) {
            List<Client> known = known(client, nowUs);
            forget();
            for (int i = 0; i < known.size(); i++) {
                Client one = known.get(i);
                one.countedUntilUs = Math.max(one.countedUntilUs, nowUs);
                long aheadUs = one.countedUntilUs + costUs(points, times(i)) - nowUs - allowedUs;
                if (aheadUs > 0) {
                    NameHistory named = known.getFirst().names;
                    return new Refusal(
                            Refusal.Cause.VOLUME,
                            (int) Math.ceilDiv(aheadUs, 1_000_000L),
                            named == null ? List.of() : named.recent(limits.requestNames()));
                }
            }
            for (int i = 0; i < known.size(); i++) {
                known.get(i).countedUntilUs += costUs(points, times(i));
            }
        }
        return null;
    }

    /**
     * Judges the names of a request whose points were admitted and, if they are admitted too, remembers them.
     *
     * @param names symbols and assets in their canonical spelling
     * @param nowUs microseconds of a clock that never goes back
     * @return null where it is admitted
     */
    public @Nullable Refusal admitNames(Address client, Set<String> names, long nowUs) {
        if (client.isIn(exempt)) {
            return null;
        }
        synchronized (clients) {
            List<Client> known = known(client, nowUs);
            // Also clients that are refused are counted.
            forget();
            for (int i = 0; i < known.size(); i++) {
                NameHistory history = Objects.requireNonNullElseGet(known.get(i).names, NameHistory::new);
                Refusal refusal = history.judge(names, times(i), (int) (nowUs / 1_000_000), limits);
                if (refusal != null) {
                    return refusal;
                }
            }
            known.forEach(one -> take(one, names, nowUs));
            forget();
        }
        return null;
    }

    /** A client and the networks around it, narrowest first. */
    private List<Client> known(Address client, long nowUs) {
        return client.networks().stream()
                .map(network -> clients.computeIfAbsent(hash(network), hash -> new Client(nowUs)))
                .toList();
    }

    /** A name is held for whole seconds from the next one on, so that no window is shorter than it should be. */
    private void take(Client client, Set<String> names, long nowUs) {
        NameHistory former = client.names;
        NameHistory history = former == null ? new NameHistory() : former;
        historyBytes -= former == null ? 0 : former.bytes();
        history.add(names, (int) Math.ceilDiv(nowUs, 1_000_000L));
        historyBytes += history.bytes();
        client.names = history;
    }

    private void forget() {
        while (clients.size() * (long) CLIENT_BYTES + historyBytes > limits.memoryBytes()) {
            NameHistory history = clients.pollFirstEntry().getValue().names;
            historyBytes -= history == null ? 0 : history.bytes();
        }
    }

    /** A /56 may do four, a /48 sixteen times as much as a /64. */
    private static int times(int level) {
        return 1 << (2 * level);
    }

    private long costUs(int points, int times) {
        // What costs more than the burst takes all of it: otherwise it could never be had.
        return Math.min(points, limits.burstPoints()) * US_PER_MINUTE / limits.pointsPerMinute() / times;
    }

    private long hash(Address network) {
        return mixed(mixed(network.high() ^ ((long) seed << 32 | network.bits())) + network.low());
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
