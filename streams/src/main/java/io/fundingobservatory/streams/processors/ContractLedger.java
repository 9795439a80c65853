package io.fundingobservatory.streams.processors;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.Ledger;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.formats.EstimateError;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Settlement;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * The payments of single contracts: one for each instant, the best known. What one record changes is gathered; {@link #write} puts it
 * into the store and forwards what is new of it.
 */
final class ContractLedger {
    private static final Headers SETTLEMENT_SCHEMA = new RecordHeaders().add(Topics.SETTLEMENTS.schemaHeader());

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ProcessorContext<byte[], byte[]> context;
    private final PaymentStore payments;
    private final List<Output> outputs = new ArrayList<>();
    private byte[] key = {};
    private ContractKey contract = new ContractKey("none", "none");
    private long stampMs;
    private int input;

    private record Output(Record<byte[], byte[]> record, String child) {}

    ContractLedger(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            WindowStore<byte[], byte[]> payments) {
        this.metrics = metrics;
        this.clock = clock;
        this.context = context;
        this.payments = new PaymentStore(payments);
    }

    /**
     * Begins with a record of one contract.
     *
     * @param stampMs the time that outputs are stamped with, epoch ms
     * @param input the partition whose time that is ({@link BrokerClock#input}), or {@link Routed#UNTIMED}
     */
    void begin(byte[] key, ContractKey contract, long stampMs, int input) {
        this.key = key;
        this.contract = contract;
        this.stampMs = stampMs;
        this.input = input;
        outputs.clear();
        payments.discard();
    }

    /** Writes what was gathered, and forwards it. */
    void write() {
        payments.write();
        outputs.forEach(output -> context.forward(output.record, output.child));
        outputs.clear();
    }

    /** The contract is listed, or what is published of it has changed. */
    void listed(Listing listing) {
        output(new PairEvent.ContractListed(
                Contract.of(contract, listing), listing.published().atMs()));
    }

    /** The ticker stands for another asset from now on. */
    void removed(String formerAsset) {
        output(new PairEvent.ContractRemoved(contract, formerAsset));
    }

    /** What was paid before the ticker had a name, and since the last reading under its former one, is this listing's. */
    void adopt(Listing listing) {
        eachOf(listing, (payment, rawMs) -> pay(TickerIdentity.of(listing), payment, rawMs));
    }

    /** The pair table has to know what was restored from the published ledger; it is not published again. */
    void tellRestored(Listing listing) {
        eachOf(
                listing,
                (payment, rawMs) -> output(
                        new PairEvent.SettlementRecorded(settlement(TickerIdentity.of(listing), payment, rawMs))));
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
        output(new PairEvent.SettlementExpected(contract, listing.epoch(), listing.asset(), settledMs));
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
            output(new PairEvent.SettlementRecorded(settlement));
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
            compare(payment.settledMs(), before, after);
        }
        return after;
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

    private void compare(long settledMs, PaymentDay.@Nullable Entry before, PaymentDay.@Nullable Entry after) {
        BigDecimal errorBefore = before == null ? null : before.estimateError();
        BigDecimal error = after == null ? null : after.estimateError();
        if (error != null && (errorBefore == null || error.compareTo(errorBefore) != 0)) {
            var event = new EstimateError(contract, settledMs, error);
            byte[] value = EstimateError.FORMAT.write(new Routed<>(input, event));
            outputs.add(new Output(new Record<>(event.venueKey(), value, stampMs), Outputs.ESTIMATE_ERRORS));
        }
    }

    private void pay(TickerIdentity ticker, Payment payment, long rawMs) {
        metrics.paid(payment.basis());
        Settlement settlement = settlement(ticker, payment, rawMs);
        byte[] value = Settlement.CODEC.encode(settlement);
        outputs.add(new Output(new Record<>(key, value, stampMs, SETTLEMENT_SCHEMA), Outputs.SETTLEMENTS));
        output(new PairEvent.SettlementRecorded(settlement));
    }

    private Settlement settlement(TickerIdentity ticker, Payment payment, long rawMs) {
        return new Settlement(
                contract.venue(),
                contract.symbol(),
                ticker.epoch(),
                ticker.asset(),
                payment.settledMs(),
                rawMs,
                payment.rate(),
                payment.basis(),
                payment.intervalH(),
                payment.observedAtMs());
    }

    private void output(PairEvent event) {
        byte[] value = PairEventFormat.EVENTS.write(new Routed<>(input, event));
        outputs.add(new Output(new Record<>(event.assetKey(), value, stampMs), Outputs.PAIR_EVENTS));
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
