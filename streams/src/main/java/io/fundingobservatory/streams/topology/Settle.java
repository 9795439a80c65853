package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.DueSettlement;
import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Ledger;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Payment;
import io.fundingobservatory.streams.carry.PaymentDay;
import io.fundingobservatory.streams.carry.Reading;
import io.fundingobservatory.streams.carry.VenueReadTime;
import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.SettledRate;
import io.fundingobservatory.topics.Settlement;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
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
    private final VenueReadTime read = new VenueReadTime();

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
        read.clear();
        try (KeyValueIterator<byte[], Listing> all = listings.all()) {
            all.forEachRemaining(row ->
                    read.restore(ContractKey.parse(new String(row.key, UTF_8)).venue(), row.value));
        }
    }

    @Override
    public void process(Record<byte[], Heard> record) {
        switch (record.value()) {
            case Heard.Observed(String base, Rate rate) -> observed(record, base, rate);
            case Heard.Published(SettledRate settled, BigDecimal fundingRate) ->
                published(record, settled, fundingRate);
            case Heard.Refused refused -> {} // has gone to the dead letters
        }
    }

    private void observed(Record<byte[], Heard> record, String base, Rate rate) {
        Listing known = listings.get(record.key());
        if (known != null && rate.observedAtMs() <= known.observedAtMs()) {
            return;
        }
        long readMs = read.at(rate.venue(), rate.observedAtMs());
        Listing.Change change =
                Listing.next(known, Identity.of(base, rate), Reading.of(rate), readMs, record.timestamp());
        if (known != null && (change instanceof Listing.Change.Continued || change instanceof Listing.Change.Renamed)) {
            cameDue(record, known, rate.observedAtMs());
        }
        Listing now = change.listing();
        listings.put(record.key(), now);
        switch (change) {
            case Listing.Change.Listed(Listing listing, Listing former) ->
                list(record, listing, former == null ? null : former.asset());
            case Listing.Change.Renamed(Listing listing, String formerAsset) -> list(record, listing, formerAsset);
            case Listing.Change.Continued continued -> {
                if (known != null && !now.published().equals(known.published())) {
                    tell(record, now);
                }
            }
            case Listing.Change.Unconfirmed unconfirmed -> {}
        }
    }

    private void cameDue(Record<byte[], Heard> record, Listing known, long observedAtMs) {
        for (DueSettlement due : DueSettlement.between(known, observedAtMs)) {
            switch (due) {
                case DueSettlement.Charged(Payment payment, long announcedMs) ->
                    enter(record, known, payment, announcedMs);
                case DueSettlement.Missing(long settledMs, BigDecimal intervalH) ->
                    expect(record, known, settledMs, intervalH);
            }
        }
    }

    /** What waited for the ticker to have a name, and what was paid since the last reading under its former one, is this listing's. */
    private void list(Record<byte[], Heard> record, Listing listing, @Nullable String formerAsset) {
        if (formerAsset != null && !formerAsset.equals(listing.asset())) {
            context.forward(record.withValue(new Note.Gone(key(record), formerAsset)));
        }
        tell(record, listing);
        try (WindowStoreIterator<byte[]> days = payments.fetch(
                record.key(), PaymentDay.of(oldestMs()), context.currentStreamTimeMs() + DAY.toMillis())) {
            while (days.hasNext()) {
                KeyValue<Long, byte[]> day = days.next();
                PaymentDay.read(day.key, day.value).entries().forEach((settledMs, entry) -> {
                    Payment payment = entry.settlement();
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
        boolean estimated = payment.basis() != Basis.SETTLED && day.estimate(payment);
        if (added || estimated) {
            changed(record, listing, payment.settledMs(), day, before);
        }
    }

    /** Read again and found the same: remembered, so that an older reading does not replace it, but no news to anybody. */
    private void changed(
            Record<byte[], Heard> record,
            @Nullable Listing listing,
            long settledMs,
            PaymentDay day,
            PaymentDay.@Nullable Entry before) {
        payments.put(record.key(), day.write(), PaymentDay.of(settledMs));
        PaymentDay.Entry after = Objects.requireNonNull(day.at(settledMs));
        compare(record, settledMs, before, after);
        Payment paidBefore = before == null ? null : before.settlement();
        Payment paid = after.settlement();
        if (listing != null && paid != null && (paidBefore == null || !paid.saysTheSame(paidBefore))) {
            pay(record, listing, paid, after.rawMs());
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

    private void expect(Record<byte[], Heard> record, Listing listing, long settledMs, @Nullable BigDecimal intervalH) {
        if (settledMs < oldestMs()) {
            return;
        }
        tally.missed();
        context.forward(record.withValue(new Note.Expected(key(record), listing.epoch(), listing.asset(), settledMs)));
        long dayMs = PaymentDay.of(settledMs);
        PaymentDay day = PaymentDay.read(dayMs, payments.fetch(record.key(), dayMs));
        PaymentDay.Entry before = day.at(settledMs);
        if (day.expect(0, settledMs, intervalH)) {
            changed(record, listing, settledMs, day, before);
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
        context.forward(record.withValue(new Note.Listed(
                Contract.of(key(record), listing), listing.published().atMs())));
    }

    /** Of the newest record, not of this one: what is read again from the beginning must not bring back what is forgotten. */
    private long oldestMs() {
        return Math.max(0, context.currentStreamTimeMs() - Ledger.KEPT_MS);
    }

    private static ContractKey key(Record<byte[], Heard> record) {
        return ContractKey.parse(new String(record.key(), UTF_8));
    }
}
