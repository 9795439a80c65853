package io.fundingobservatory.streams.settlements;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known about the settlements of one contract. It has at most one settlement for an instant. It
 * also has the instants at which a settlement was announced to take place. Adding is commutative and idempotent.
 */
public final class Ledger {
    /** How long settlements are kept: the window and a day for late ones. */
    public static final long KEPT_MS = 31 * Window.DAY_MS;

    private final TreeMap<Long, LedgerSettlement> byInstant = new TreeMap<>();
    private final TreeSet<Long> announced = new TreeSet<>();

    /** Adds a settlement, or replaces the one of the same instant when this one rests on more. */
    public void add(LedgerSettlement settlement) {
        byInstant.merge(settlement.settledMs(), settlement, (known, now) -> now.replaces(known) ? now : known);
    }

    /** Notes that a settlement was announced for an instant and was not moved before it. */
    public void expect(long settledMs) {
        announced.add(settledMs);
    }

    /** The settlements, oldest first: settlements closer than half of the interval that they close are one. */
    public List<LedgerSettlement> settlements() {
        return CloseStamps.merged(List.copyOf(byInstant.values()));
    }

    /** The announced instants that took place. */
    public NavigableSet<Long> announced() {
        return Collections.unmodifiableNavigableSet(announced);
    }

    public boolean isEmpty() {
        return byInstant.isEmpty() && announced.isEmpty();
    }
}
