package io.fundingobservatory.oracle;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settlements by listing and instant, the last one known of each; may be read and written by several threads. */
public final class KnownSettlements {
    /** Venues settle at most once an hour. */
    private static final long HOUR_MS = 3_600_000;

    /** Best first. */
    private static final List<String> BASES = List.of("settled", "accrued", "estimate");

    private final Map<Listing, TreeMap<Long, Settlement>> byListing = new HashMap<>();

    /**
     * One listing of a contract.
     *
     * @param epoch the listing number
     */
    public record Listing(String venue, String symbol, long epoch) {}

    /**
     * One settlement.
     *
     * @param rate fraction of notional
     * @param basis its word
     * @param intervalH hours; null when unknown
     */
    public record Settlement(
            BigDecimal rate, String basis, @Nullable BigDecimal intervalH) {
        /** Whether another one reports the same. */
        boolean isSameAs(Settlement other) {
            return rate.compareTo(other.rate) == 0
                    && basis.equals(other.basis)
                    && (intervalH == null
                            ? other.intervalH == null
                            : other.intervalH != null && intervalH.compareTo(other.intervalH) == 0);
        }

        private long intervalMs() {
            return intervalH == null
                    ? HOUR_MS
                    : intervalH.multiply(BigDecimal.valueOf(HOUR_MS)).longValue();
        }
    }

    /** Replaces what is known of an instant, epoch ms; returns that, null for nothing. */
    public synchronized @Nullable Settlement put(Listing listing, long settledMs, Settlement settlement) {
        return byListing.computeIfAbsent(listing, l -> new TreeMap<>()).put(settledMs, settlement);
    }

    /** What is known of an instant, epoch ms; null for nothing. */
    public synchronized @Nullable Settlement at(Listing listing, long settledMs) {
        TreeMap<Long, Settlement> known = byListing.get(listing);
        return known == null ? null : known.get(settledMs);
    }

    /** Every listing with a settlement. */
    public synchronized Set<Listing> listings() {
        return Set.copyOf(byListing.keySet());
    }

    /** The settlements of a listing, a copy, not merged. */
    public synchronized TreeMap<Long, Settlement> of(Listing listing) {
        return new TreeMap<>(byListing.getOrDefault(listing, new TreeMap<>()));
    }

    /** Settlements after an instant and up to another one, epoch ms; two closer than half of their interval are one. */
    TreeMap<Long, Settlement> between(Listing listing, long afterMs, long untilMs) {
        var merged = new TreeMap<Long, Settlement>();
        long firstMs = 0;
        for (var next : of(listing).entrySet()) {
            var last = merged.lastEntry();
            if (last != null
                    && 2 * (next.getKey() - firstMs)
                            < Math.min(
                                    last.getValue().intervalMs(),
                                    next.getValue().intervalMs())) {
                boolean better = BASES.indexOf(next.getValue().basis) < BASES.indexOf(last.getValue().basis);
                var kept = better ? next : last;
                var other = better ? last : next;
                merged.remove(last.getKey());
                merged.put(
                        kept.getKey(),
                        new Settlement(
                                kept.getValue().rate,
                                kept.getValue().basis,
                                kept.getValue().intervalH == null
                                        ? other.getValue().intervalH
                                        : kept.getValue().intervalH));
            } else {
                merged.put(next.getKey(), next.getValue());
                firstMs = next.getKey();
            }
        }
        return new TreeMap<>(merged.subMap(afterMs, false, untilMs, true));
    }
}
