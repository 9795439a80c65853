package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.Due;
import io.fundingobservatory.streams.carry.Ledger;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.carry.Reading;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Settlement;
import java.math.BigDecimal;
import java.time.Duration;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Follows each contract: what its readings say came due, and what its exchange published as settled, become one payment for each
 * instant. Only what changes the ledger goes on, and how far a reading was from what was settled.
 */
final class Settle implements Processor<byte[], Heard, byte[], Finding> {
    static final String NAME = "settle";
    static final String LISTINGS = "listings";
    static final String PAYMENTS = "payments";

    /** A store forgets by whole days and by the newest day that it holds, so it has a little more than is asked of it. */
    static final Duration KEPT = Duration.ofMillis(Ledger.KEPT_MS).plusDays(2);

    static final Duration DAY = Duration.ofDays(1);

    private final Tally tally;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], Finding> context;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], Listing> listings;

    @SuppressWarnings("NullAway.Init")
    private WindowStore<byte[], byte[]> payments;

    Settle(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void init(ProcessorContext<byte[], Finding> context) {
        this.context = context;
        this.listings = context.getStateStore(LISTINGS);
        this.payments = context.getStateStore(PAYMENTS);
    }

    @Override
    public void process(Record<byte[], Heard> record) {
        switch (record.value()) {
            case Heard.Observed(Rate rate) -> observed(record, rate);
            case Heard.Published(SettledRate settled, BigDecimal fundingRate) ->
                published(record, settled, fundingRate);
            case Heard.Refused refused -> {} // has gone to the dead letters
        }
    }

    private void observed(Record<byte[], Heard> record, Rate rate) {
        Listing known = listings.get(record.key());
        if (known != null && rate.observedAtMs() <= known.last().observedAtMs()) {
            return;
        }
        if (known == null || !known.covers(rate)) {
            list(record, known, rate);
            return;
        }
        for (Due due : Due.between(known.last(), rate.observedAtMs())) {
            switch (due) {
                case Due.Charged(Payment payment, long announcedMs) -> enter(record, known, payment, announcedMs);
                case Due.Missing(long settledMs) -> expect(record, known, settledMs);
            }
        }
        Listing now = known.read(Reading.of(rate), record.timestamp());
        listings.put(record.key(), now);
        if (!now.told().equals(known.told())) {
            tell(record, now);
        }
    }

    /** What waited for the ticker to have a name, and what was paid since the last reading under its former one, is this listing's. */
    private void list(Record<byte[], Heard> record, @Nullable Listing former, Rate rate) {
        Listing listing = Listing.after(former, rate, record.timestamp());
        listings.put(record.key(), listing);
        if (former != null && !former.asset().equals(listing.asset())) {
            context.forward(record.withValue(new Note.Gone(key(record), former.asset())));
        }
        tell(record, listing);
        try (WindowStoreIterator<byte[]> days = payments.fetch(
                record.key(), PaymentDay.of(oldestMs()), context.currentStreamTimeMs() + DAY.toMillis())) {
            while (days.hasNext()) {
                KeyValue<Long, byte[]> day = days.next();
                PaymentDay.read(day.key, day.value).entries().forEach((settledMs, entry) -> {
                    Payment payment = entry.payment();
                    if (payment != null && settledMs > listing.sinceMs()) {
                        pay(record, listing, payment, entry.rawMs());
                    }
                });
            }
        }
    }

    private void published(Record<byte[], Heard> record, SettledRate settled, BigDecimal fundingRate) {
        var payment = new Payment(
                Payment.onTheMinute(settled.settledMs()),
                fundingRate,
                Basis.SETTLED,
                settled.intervalH(),
                settled.observedAtMs());
        enter(record, listings.get(record.key()), payment, settled.settledMs());
    }

    private void enter(Record<byte[], Heard> record, @Nullable Listing listing, Payment payment, long rawMs) {
        boolean former = listing != null && payment.settledMs() <= listing.sinceMs();
        if (former || payment.settledMs() < oldestMs()) {
            tally.late();
            return;
        }
        long dayMs = PaymentDay.of(payment.settledMs());
        PaymentDay day = PaymentDay.read(dayMs, payments.fetch(record.key(), dayMs));
        PaymentDay.Entry before = day.at(payment.settledMs());
        boolean added = day.add(0, payment, rawMs);
        boolean watched = payment.basis() != Basis.SETTLED && day.watch(payment.settledMs(), payment.rate());
        if (!added && !watched) {
            return;
        }
        payments.put(record.key(), day.write(), dayMs);
        compare(record, payment.settledMs(), before, day.at(payment.settledMs()));
        // Read again and found the same: remembered, so that an older reading does not replace it, but no news to
        // anybody.
        boolean news = added && (before == null || before.payment() == null || !payment.saysTheSame(before.payment()));
        if (news && listing != null) {
            pay(record, listing, payment, rawMs);
        }
    }

    private void compare(
            Record<byte[], Heard> record,
            long settledMs,
            PaymentDay.@Nullable Entry before,
            PaymentDay.@Nullable Entry after) {
        BigDecimal errorBefore = before == null ? null : before.estimateError();
        BigDecimal error = after == null ? null : after.estimateError();
        if (error != null && (errorBefore == null || error.compareTo(errorBefore) != 0)) {
            context.forward(record.withValue(new EstimateError(key(record), settledMs, error)));
        }
    }

    private void expect(Record<byte[], Heard> record, Listing listing, long settledMs) {
        if (settledMs >= oldestMs()) {
            tally.missed();
            context.forward(
                    record.withValue(new Note.Expected(key(record), listing.epoch(), listing.asset(), settledMs)));
        }
    }

    private void pay(Record<byte[], Heard> record, Listing listing, Payment payment, long rawMs) {
        tally.paid(payment.basis());
        ContractKey key = key(record);
        var settlement = new Settlement(
                key.venue(),
                key.symbol(),
                listing.epoch(),
                listing.asset(),
                payment.settledMs(),
                rawMs,
                payment.rate(),
                payment.basis(),
                payment.intervalH(),
                payment.observedAtMs());
        context.forward(record.withValue(new Note.Paid(settlement)));
    }

    private void tell(Record<byte[], Heard> record, Listing listing) {
        var contract = new Contract(
                key(record),
                listing.epoch(),
                listing.asset(),
                listing.type(),
                listing.told().intervalH(),
                listing.told().coinPrice());
        context.forward(
                record.withValue(new Note.Listed(contract, listing.told().atMs())));
    }

    /** Of the newest record, not of this one: what is read again from the beginning must not bring back what is forgotten. */
    private long oldestMs() {
        return Math.max(0, context.currentStreamTimeMs() - Ledger.KEPT_MS);
    }

    private static ContractKey key(Record<byte[], Heard> record) {
        return ContractKey.parse(new String(record.key(), UTF_8));
    }
}
