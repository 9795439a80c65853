package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.payments.Ledger;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.streams.payments.PaymentDay;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Decides which payments of a contract are taken, and which consumers receive them. The changes of one record
 * are gathered. {@link #write} puts them into the store ({@link ContractPayments}) and forwards what is new
 * ({@link LedgerEvents}).
 */
public final class ContractLedger {
    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ContractPayments payments;
    private final LedgerEvents events;

    /** Over the payments' store of one task; events go out through its context. */
    public ContractLedger(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            KeyValueStore<byte[], byte[]> payments) {
        this.metrics = metrics;
        this.clock = clock;
        this.payments = new ContractPayments(payments);
        this.events = new LedgerEvents(context);
    }

    /**
     * Begins with a record of one contract.
     *
     * @param stampMs the time that outputs are stamped with, epoch ms
     * @param input the partition whose time that is ({@link BrokerClock#input}), or {@link Routed#UNTIMED}
     */
    public void begin(byte[] key, ContractKey contract, long stampMs, int input) {
        payments.begin(key);
        events.begin(key, contract, stampMs, input);
    }

    /** Writes what was gathered, and forwards it. */
    public void write() {
        payments.write();
        events.forward();
    }

    /** Deletes payments that nothing reads any more, among so many days. */
    public void sweep(int most) {
        payments.sweep(most);
    }

    /** The contract is listed, or what is published of it has changed. */
    void listed(Listing listing) {
        events.listed(listing);
    }

    /** The contract leaves the pairs of an asset: it stands for another one from now on, or its venue has closed. */
    public void removed(String formerAsset) {
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
        payments.eachFrom(oldestMs(listing), (payment, rawMs) -> {
            if (payment.settledMs() > listing.sinceMs()) {
                each.accept(payment, rawMs);
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
        publish(TickerIdentity.of(listing), payments.expect(settledMs, intervalH));
    }

    /**
     * A payment, which stands if it is the best known of its instant.
     *
     * @param ticker what the ticker stands for; null while that is not known
     * @param listing its newest reading; null before the first
     */
    public void enter(@Nullable TickerIdentity ticker, @Nullable Listing listing, Payment payment, long rawMs) {
        boolean former = ticker != null && payment.settledMs() <= ticker.sinceMs();
        if (former || payment.settledMs() < oldestMs(listing)) {
            metrics.late();
            return;
        }
        ContractPayments.Change change = put(payment, rawMs);
        if (ticker != null) {
            publish(ticker, change);
        }
    }

    /**
     * A payment as the published ledger tells it: into the store where it is not known, and never published again.
     *
     * @param listed whether the pair table knows the contract
     */
    void restore(Settlement settlement, boolean listed) {
        if (put(Payment.of(settlement), settlement.settledRawMs()).news() != null && listed) {
            events.recorded(settlement);
        }
    }

    private ContractPayments.Change put(Payment payment, long rawMs) {
        ContractPayments.Change change = payments.enter(payment, rawMs);
        BigDecimal error = change.newError();
        if (error != null) {
            events.estimateError(payment.settledMs(), error, change.errorBefore());
        }
        return change;
    }

    private void publish(TickerIdentity ticker, ContractPayments.Change change) {
        PaymentDay.Entry news = change.news();
        Payment paid = news == null ? null : news.settlement();
        if (news != null && paid != null) {
            pay(ticker, paid, news.rawMs());
        }
    }

    private void pay(TickerIdentity ticker, Payment payment, long rawMs) {
        metrics.paid(payment.basis());
        events.paid(ticker, payment, rawMs);
    }

    /**
     * Of the newest that is known, not of this record: what is read again from the beginning must not bring back what is forgotten. A
     * rejected payment is never requested again. So an uncertain time rejects none, nor does one that only the brokers or only this
     * process believe in. After a slow start the first votes may all be of partitions whose broker is days ahead.
     */
    private long oldestMs(@Nullable Listing listing) {
        long told = clock.certain() ? Math.min(clock.nowMs(), clock.ownMs()) : 0;
        long newest = listing == null ? told : Math.max(told, listing.observedAtMs());
        return Math.max(0, newest - Ledger.KEPT_MS);
    }
}
