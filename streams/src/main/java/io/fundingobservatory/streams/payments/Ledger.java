package io.fundingobservatory.streams.payments;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the funding payments of one contract. It has at most one payment for an instant. It
 * also has the instants at which a payment was announced to come due. Adding is commutative and idempotent.
 */
public final class Ledger {
    /** How long payments are kept: the window and a day for late ones. */
    public static final long KEPT_MS = 31 * Window.DAY_MS;

    private final TreeMap<Long, Payment> payments = new TreeMap<>();
    private final TreeSet<Long> announced = new TreeSet<>();

    /**
     * Adds a payment, or replaces the one of the same instant when this one rests on more.
     *
     * @return whether that changed anything
     */
    public boolean add(Payment payment) {
        Payment known = payments.get(payment.settledMs());
        if (known != null && !payment.replaces(known)) {
            return false;
        }
        payments.put(payment.settledMs(), payment);
        return true;
    }

    /** Notes that a settlement was announced for an instant and still stood when it came due. */
    public boolean expect(long settledMs) {
        return announced.add(settledMs);
    }

    /** The settlements, oldest first: payments closer than half of the interval that they close are one. */
    public List<Payment> settlements() {
        return CloseStamps.merged(List.copyOf(payments.values()));
    }

    /** The announced instants that came due. */
    public NavigableSet<Long> announced() {
        return Collections.unmodifiableNavigableSet(announced);
    }

    public boolean isEmpty() {
        return payments.isEmpty() && announced.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ledger that && payments.equals(that.payments) && announced.equals(that.announced);
    }

    @Override
    public int hashCode() {
        return payments.hashCode() * 31 + announced.hashCode();
    }

    @Override
    public String toString() {
        return "Ledger[" + payments.size() + " payments, " + announced.size() + " announced]";
    }
}
