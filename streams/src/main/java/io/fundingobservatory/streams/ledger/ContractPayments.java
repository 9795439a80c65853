package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.streams.payments.PaymentDay;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The payments of one contract after the other: one for each instant, the best known. A record's changes are written all at once. */
final class ContractPayments {
    private final PaymentStore store;
    private byte[] key = {};

    ContractPayments(KeyValueStore<byte[], byte[]> payments) {
        this.store = new PaymentStore(payments);
    }

    /** What is known of an instant before a record and after it; null where nothing is. */
    record Change(PaymentDay.@Nullable Entry before, PaymentDay.@Nullable Entry after) {
        /** What is paid there now, if that is new or better known: found the same again it is kept, but no event. */
        PaymentDay.@Nullable Entry news() {
            Payment paidBefore = before == null ? null : before.settlement();
            Payment paid = after == null ? null : after.settlement();
            return paid != null && (paidBefore == null || !paid.saysTheSame(paidBefore)) ? after : null;
        }

        /** |settled − estimate|, fraction of notional per 8 hours, where that is known and was not before. */
        @Nullable
        BigDecimal newError() {
            BigDecimal error = after == null ? null : after.estimateError8h();
            return error == null || Decimals.same(error, errorBefore()) ? null : error;
        }

        /** What was known of it before. */
        @Nullable
        BigDecimal errorBefore() {
            return before == null ? null : before.estimateError8h();
        }
    }

    /** Begins with a record of one contract; what an earlier one changed and did not write is forgotten. */
    void begin(byte[] contractKey) {
        key = contractKey;
        store.discard();
    }

    void write() {
        store.write();
    }

    /** Deletes old days among so many. */
    void sweep(int most) {
        store.sweep(most);
    }

    /**
     * Enters a payment, which replaces the known one if it is the best of its instant. An estimate of our own
     * is also stored next to a better payment.
     */
    Change enter(Payment payment, long rawMs) {
        PaymentDay day = store.day(key, payment.settledMs());
        PaymentDay.Entry before = day.at(payment.settledMs());
        boolean added = day.add(0, payment, rawMs);
        boolean estimated = payment.basis() == Basis.ESTIMATE && day.estimate(payment);
        if (added || estimated) {
            store.change(key, payment.settledMs(), day);
        }
        return new Change(before, day.at(payment.settledMs()));
    }

    /**
     * A payment came due that nobody has read.
     *
     * @param intervalH the hours that it closed by what was announced; null when unknown
     */
    Change expect(long settledMs, @Nullable BigDecimal intervalH) {
        PaymentDay day = store.day(key, settledMs);
        PaymentDay.Entry before = day.at(settledMs);
        if (day.expect(0, settledMs, intervalH)) {
            store.change(key, settledMs, day);
        }
        return new Change(before, day.at(settledMs));
    }

    /** Every payment from an instant on, as it is written, with the instant as published, epoch ms. */
    void eachFrom(long fromMs, ObjLongConsumer<Payment> each) {
        store.between(key, fromMs, Long.MAX_VALUE, (settledMs, entry) -> {
            Payment payment = entry.settlement();
            if (payment != null) {
                each.accept(payment, entry.rawMs());
            }
        });
    }
}
