package io.fundingobservatory.streams.settlements;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known about the settlements of one contract. It has at most one settlement for an instant. It
 * also has the instants at which a settlement was announced to take place. Adding is commutative and idempotent.
 */
public final class ContractSettlements {
    /** How long settlements are kept: the window and a day for late ones. */
    public static final long KEPT_MS = 31 * Window.DAY_MS;

    /** Where no interval is published, none is taken to be shorter: venues settle every 1, 4 or 8 hours. */
    public static final long SHORTEST_INFERRED_MS = Window.HOUR_MS;

    /** None is taken to be longer: settlements that are further apart have others between them. */
    public static final long LONGEST_INFERRED_MS = Window.DAY_MS;

    private final TreeMap<Long, KnownSettlement> byInstant = new TreeMap<>();
    private final TreeSet<Long> announced = new TreeSet<>();

    /** Adds a settlement, or replaces the one of the same instant when this one rests on more. */
    public void add(KnownSettlement settlement) {
        byInstant.merge(settlement.settledMs(), settlement, (known, now) -> now.replaces(known) ? now : known);
    }

    /** Notes that a settlement was announced for an instant and was not moved before it. */
    public void expect(long settledMs) {
        announced.add(settledMs);
    }

    /**
     * The settlements, oldest first: settlements closer than half of the interval that they close are one. One of
     * them is stamped a minute later than its own estimate, or published again under another stamp. The better
     * basis is kept, with its instant.
     */
    public List<KnownSettlement> settlements() {
        var settlements = new ArrayList<KnownSettlement>(byInstant.size());
        long firstStampMs = 0; // of the last settlement
        for (KnownSettlement settlement : byInstant.values()) {
            KnownSettlement last = settlements.isEmpty() ? null : settlements.getLast();
            if (last != null
                    && 2 * (settlement.settledMs() - firstStampMs) < Math.min(closed(last), closed(settlement))) {
                boolean replaces = settlement.ranksBefore(last);
                KnownSettlement better = replaces ? settlement : last;
                KnownSettlement other = replaces ? last : settlement;
                settlements.set(settlements.size() - 1, better.closing(other.intervalH()));
            } else {
                settlements.add(settlement);
                firstStampMs = settlement.settledMs();
            }
        }
        return settlements;
    }

    private static long closed(KnownSettlement settlement) {
        Long published = settlement.intervalMs();
        return published == null ? SHORTEST_INFERRED_MS : published;
    }

    /** The announced instants that took place. */
    public NavigableSet<Long> announced() {
        return Collections.unmodifiableNavigableSet(announced);
    }

    public boolean isEmpty() {
        return byInstant.isEmpty() && announced.isEmpty();
    }
}
