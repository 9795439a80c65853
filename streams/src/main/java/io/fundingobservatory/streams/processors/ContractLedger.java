package io.fundingobservatory.streams.processors;

import io.fundingobservatory.streams.carry.Ledger;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Settlement;
import java.math.BigDecimal;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * The payments of single contracts: one for each instant, the best known. What one record changes is gathered; {@link #write} puts it
 * into the store and forwards what is new of it.
 */
final class ContractLedger {
    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final PaymentStore payments;
    private final LedgerEvents events;
    private byte[] key = {};

    ContractLedger(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            WindowStore<byte[], byte[]> payments) {
        this.metrics = metrics;
        this.clock = clock;
        this.payments = new PaymentStore(payments);
        this.events = new LedgerEvents(context);
    }

    /**
     * Begins with a record of one contract.
     *
     * @param stampMs the time that outputs are stamped with, epoch ms
     * @param input the partition whose time that is ({@link BrokerClock#input}), or {@link Routed#UNTIMED}
     */
    void begin(byte[] key, ContractKey contract, long stampMs, int input) {
        this.key = key;
        payments.discard();
        events.begin(key, contract, stampMs, input);
    }

    /** Writes what was gathered, and forwards it. */
    void write() {
        payments.write();
        events.forward();
    }

    /** The contract is listed, or what is published of it has changed. */
    void listed(Listing listing) {
        events.listed(listing);
    }

    /** The ticker stands for another asset from now on. */
    void removed(String formerAsset) {
        events.removed(formerAsset);
    }

    /** What was paid before the ticker had a name, and since the last reading under its former one, is this listing's. */
    void adopt(Listing listing) {
        eachOf(listing, (payment, rawMs) -> pay(TickerIdentity.of(listing), payment, rawMs));
    }

    /** The pair table has to know what was restored from the published ledger; it is not published again. */
    void tellRestored(Listing listing) {
        eachOf(listing, (payment, rawMs) -> events.recorded(TickerIdentity.of(listing), payment, rawMs));
    }

    private void eachOf(Listing listing, ObjLongConsumer<Payment> each) {
        payments.between(key, oldestMs(listing), Long.MAX_VALUE, (settledMs, entry) -> {
            Payment payment = entry.settlement();
            if (payment != null && settledMs > listing.sinceMs()) {
                each.accept(payment, entry.rawMs());
            }
        });
    }

    /**
     * A payment came due, and no reading tells what was charged.
     *
     * @param intervalH the hours that it closed by what was announced; null when unknown
     */
    void expect(Listing listing, long settledMs, @Nullable BigDecimal intervalH) {
        if (settledMs < oldestMs(listing)) {
            return;
        }
        metrics.missed();
        events.expected(listing, settledMs);
        PaymentDay day = payments.day(key, settledMs);
        PaymentDay.Entry before = day.at(settledMs);
        if (day.expect(0, settledMs, intervalH)) {
            payments.change(key, settledMs, day);
            publish(TickerIdentity.of(listing), before, day.at(settledMs));
        }
    }

    /**
     * A payment, which stands if it is the best known of its instant.
     *
     * @param ticker what the ticker stands for; null while that is not known
     * @param listing its newest reading; null before the first
     */
    void enter(@Nullable TickerIdentity ticker, @Nullable Listing listing, Payment payment, long rawMs) {
        boolean former = ticker != null && payment.settledMs() <= ticker.sinceMs();
        if (former || payment.settledMs() < oldestMs(listing)) {
            metrics.late();
            return;
        }
        PaymentDay.Entry before = payments.day(key, payment.settledMs()).at(payment.settledMs());
        PaymentDay.Entry after = put(payment, rawMs);
        if (ticker != null) {
            publish(ticker, before, after);
        }
    }

    /**
     * A payment as the published ledger tells it: into the store where it is not known, and never published again.
     *
     * @param listed whether the pair table knows the contract
     */
    void restore(Settlement settlement, boolean listed) {
        var payment = new Payment(
                settlement.settledMs(),
                settlement.fundingRate(),
                settlement.basis(),
                settlement.fundingIntervalH(),
                settlement.observedAtMs());
        PaymentDay.Entry before = payments.day(key, payment.settledMs()).at(payment.settledMs());
        if (saysMore(before, put(payment, settlement.settledRawMs())) && listed) {
            events.recorded(settlement);
        }
    }

    /** What is known of the payment's instant with it. */
    private PaymentDay.@Nullable Entry put(Payment payment, long rawMs) {
        PaymentDay day = payments.day(key, payment.settledMs());
        PaymentDay.Entry before = day.at(payment.settledMs());
        boolean added = day.add(0, payment, rawMs);
        boolean estimated = payment.basis() != Basis.SETTLED && day.estimate(payment);
        PaymentDay.Entry after = day.at(payment.settledMs());
        if (added || estimated) {
            payments.change(key, payment.settledMs(), day);
            BigDecimal error = after == null ? null : after.estimateError();
            if (error != null && !Decimals.same(error, before == null ? null : before.estimateError())) {
                events.estimateError(payment.settledMs(), error);
            }
        }
        return after;
    }

    private void pay(TickerIdentity ticker, Payment payment, long rawMs) {
        metrics.paid(payment.basis());
        events.paid(ticker, payment, rawMs);
    }

    /** Read again and found the same: kept, so that an older reading does not replace it, but no new event. */
    private void publish(TickerIdentity ticker, PaymentDay.@Nullable Entry before, PaymentDay.@Nullable Entry after) {
        Payment paid = after == null ? null : after.settlement();
        if (after != null && paid != null && saysMore(before, after)) {
            pay(ticker, paid, after.rawMs());
        }
    }

    private static boolean saysMore(PaymentDay.@Nullable Entry before, PaymentDay.@Nullable Entry after) {
        Payment paidBefore = before == null ? null : before.settlement();
        Payment paid = after == null ? null : after.settlement();
        return paid != null && (paidBefore == null || !paid.saysTheSame(paidBefore));
    }

    /**
     * Of the newest that is known, not of this record: what is read again from the beginning must not bring back what is forgotten. A
     * payment that is refused is never asked for again, so a time that is not certain refuses none.
     */
    private long oldestMs(@Nullable Listing listing) {
        long told = clock.certain() ? clock.nowMs() : 0;
        long newest = listing == null ? told : Math.max(told, listing.observedAtMs());
        return Math.max(0, newest - Ledger.KEPT_MS);
    }
}
