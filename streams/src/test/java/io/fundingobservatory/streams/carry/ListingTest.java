package io.fundingobservatory.streams.carry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.carry.Listing.Change;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.streams.payments.PaymentDay;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What readings change about a symbol: its listing numbers, and what came due between them. */
class ListingTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long T0 = 1_790_000_000_000L / DAY * DAY;

    private static final Identity BTC = identity("XBT", "BTC", 1);
    private static final Identity ETH = identity("ETH", "ETH", 1);

    private static Identity identity(String base, String asset, long scale) {
        return new Identity(base, asset, ContractType.LINEAR, BigDecimal.valueOf(scale), "USDT");
    }

    private static Reading reading(long observedAtMs, @Nullable Integer intervalH, @Nullable Long nextMs) {
        return new Reading(
                observedAtMs,
                RateKind.ESTIMATE,
                new BigDecimal("0.0001"),
                null,
                intervalH == null ? null : BigDecimal.valueOf(intervalH),
                nextMs,
                BigDecimal.valueOf(60_000));
    }

    /** A ticker that is read once a minute together with another contract of its exchange. */
    private static final class Followed {
        private final VenueReadTime readTime = new VenueReadTime();
        private @Nullable Listing listing;
        private final List<Change> changes = new ArrayList<>();

        void read(Identity identity, long atMs) {
            Change change = Listing.next(listing, identity, reading(atMs, 8, null), readTime.at("okx", atMs), atMs);
            changes.add(change);
            listing = change.listing();
        }

        void read(Identity identity, long fromMs, long toMs) {
            for (long at = fromMs; at < toMs; at += MINUTE) {
                read(identity, at);
            }
        }

        /** Only other contracts of the exchange are read. */
        void missing(long fromMs, long toMs) {
            for (long at = fromMs; at < toMs; at += MINUTE) {
                readTime.at("okx", at);
            }
        }

        Listing listing() {
            assertTrue(listing != null);
            return listing;
        }
    }

    @Test
    void aGlitchThatGoesBackCostsNothing() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        Listing before = ticker.listing();
        for (Identity odd : List.of(ETH, identity("1000XBT", "BTC", 1000), BTC)) {
            ticker.read(
                    odd,
                    ticker.listing().observedAtMs() + MINUTE,
                    ticker.listing().observedAtMs() + 10 * MINUTE);
        }
        assertEquals(0, ticker.listing().epoch());
        assertEquals(Long.MIN_VALUE, ticker.listing().sinceMs());
        assertEquals(BTC, ticker.listing().identity());
        assertNull(ticker.listing().pending());
        assertEquals(
                before.published().coinPrice(), ticker.listing().published().coinPrice());
        assertInstanceOf(Change.Continued.class, ticker.changes.getLast());
        assertEquals(
                18,
                ticker.changes.stream()
                        .filter(Change.Unconfirmed.class::isInstance)
                        .count());
    }

    /** What came due while another identity showed is due from the last reading of its own, and not known from the other's rate. */
    @Test
    void duringAGlitchTheLastOwnReadingStands() {
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, reading(T0, 8, T0 + 3 * MINUTE), 0, T0);
        Listing waiting = Listing.next(listing, ETH, reading(T0 + MINUTE, 8, T0 + 2 * MINUTE), 0, T0)
                .listing();
        assertEquals(T0 + MINUTE, waiting.observedAtMs());
        assertSame(listing.last(), waiting.last());
        assertEquals(
                List.of(T0 + 3 * MINUTE),
                DueSettlement.between(waiting, T0 + 5 * MINUTE).stream()
                        .map(DueSettlement::settledMs)
                        .toList());
    }

    @Test
    void otherIdentityForTenMinutesIsRelisting() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        long last = ticker.listing().observedAtMs();
        ticker.read(ETH, T0 + HOUR, T0 + HOUR + 10 * MINUTE);
        assertEquals(0, ticker.listing().epoch());
        ticker.read(ETH, T0 + HOUR + 10 * MINUTE);
        assertEquals(1, ticker.listing().epoch());
        assertEquals(last, ticker.listing().sinceMs());
        Change.Listed listed = assertInstanceOf(Change.Listed.class, ticker.changes.getLast());
        assertEquals("BTC", listed.former().asset());
        ticker.read(ETH, T0 + HOUR + 11 * MINUTE, T0 + 2 * HOUR);
        assertEquals(1, ticker.listing().epoch());
    }

    @Test
    void anotherScaleOrTypeIsAnotherContract() {
        for (Identity other : List.of(
                identity("1000XBT", "BTC", 1000),
                new Identity("XBT", "BTC", ContractType.INVERSE, BigDecimal.ONE, "USDT"))) {
            var ticker = new Followed();
            ticker.read(BTC, T0, T0 + HOUR);
            ticker.read(other, T0 + HOUR, T0 + 2 * HOUR);
            assertEquals(1, ticker.listing().epoch(), other::toString);
        }
    }

    /** A release of ours calls the same coin of the exchange by another name: no new listing, but another asset's table. */
    @Test
    void renamedAliasKeepsListingNumber() {
        var ticker = new Followed();
        ticker.read(identity("FILECOIN", "FILECOIN", 1), T0, T0 + HOUR);
        ticker.read(identity("FILECOIN", "FIL", 1), T0 + HOUR);
        assertEquals(0, ticker.listing().epoch());
        assertEquals("FIL", ticker.listing().asset());
        assertEquals(
                "FILECOIN",
                assertInstanceOf(Change.Renamed.class, ticker.changes.getLast()).formerAsset());
        ticker.read(identity("FILECOIN", "FIL", 1), T0 + HOUR + MINUTE);
        assertInstanceOf(Change.Continued.class, ticker.changes.getLast());
    }

    @Test
    void otherSpellingOfCoinIsSameContract() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        ticker.read(identity("BTC", "BTC", 1), T0 + HOUR, T0 + 2 * HOUR);
        assertEquals(0, ticker.listing().epoch());
        assertEquals("BTC", ticker.listing().identity().base());
    }

    @Test
    void contractUnlistedForSevenDaysIsAnother() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        long last = ticker.listing().observedAtMs();
        ticker.missing(T0 + HOUR, T0 + HOUR + 7 * DAY - 2 * MINUTE);
        ticker.read(BTC, T0 + HOUR + 7 * DAY - 2 * MINUTE);
        assertEquals(0, ticker.listing().epoch(), "seven days are not yet more than seven days");
        last = ticker.listing().observedAtMs();
        ticker.missing(last + MINUTE, last + 7 * DAY + HOUR);
        ticker.read(BTC, last + 7 * DAY + HOUR);
        assertEquals(1, ticker.listing().epoch());
        assertEquals(last, ticker.listing().sinceMs());
    }

    @Test
    void aStandstillOfOursIsNoRelisting() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        ticker.read(BTC, T0 + 12 * DAY, T0 + 12 * DAY + HOUR);
        assertEquals(0, ticker.listing().epoch());
    }

    @Test
    void restartKeepsTimeVenueWasRead() {
        var ticker = new Followed();
        ticker.read(BTC, T0, T0 + HOUR);
        ticker.missing(T0 + HOUR, T0 + 5 * DAY);
        Listing other = Listing.first(
                0, Long.MIN_VALUE, ETH, reading(T0 + 5 * DAY, 8, null), ticker.readTime.at("okx", T0 + 5 * DAY), T0);
        ticker.readTime.clear();
        ticker.readTime.restore("okx", other);
        ticker.readTime.restore("okx", ticker.listing());
        ticker.missing(T0 + 5 * DAY, T0 + 7 * DAY + 2 * HOUR);
        ticker.read(BTC, T0 + 7 * DAY + 2 * HOUR);
        assertEquals(1, ticker.listing().epoch());
    }

    @Test
    void reportsEachPercentAndOnceAnHour() {
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, priced(T0, "60000"), 0, T0);
        Listing little = Listing.next(listing, BTC, priced(T0 + MINUTE, "60600"), 0, T0 + MINUTE)
                .listing();
        assertSame(listing.published(), little.published());
        Listing moved = Listing.next(little, BTC, priced(T0 + 2 * MINUTE, "60601"), 0, T0 + 2 * MINUTE)
                .listing();
        assertEquals(new BigDecimal(60_601), moved.published().coinPrice());
        Listing alive = Listing.next(moved, BTC, priced(T0 + 62 * MINUTE, "60601"), 0, T0 + 62 * MINUTE)
                .listing();
        assertNotSame(moved.published(), alive.published());
        assertEquals(T0 + 62 * MINUTE, alive.published().atMs());
    }

    private static Reading priced(long atMs, String price) {
        return new Reading(atMs, RateKind.ESTIMATE, null, null, BigDecimal.valueOf(8), null, new BigDecimal(price));
    }

    @Test
    void withoutAMarkTheIndexTellsCoinsApart() {
        assertEquals(new BigDecimal("0.012"), Reading.of(row(null, "12")).coinPrice());
        assertEquals(new BigDecimal("0.011"), Reading.of(row("11", "12")).coinPrice());
        assertNull(Reading.of(row(null, null)).coinPrice());
    }

    private static Rate row(@Nullable String mark, @Nullable String index) {
        return new Rate(
                "okx",
                "S",
                "PEPE",
                "USDT",
                ContractType.LINEAR,
                null,
                null,
                null,
                BigDecimal.valueOf(8),
                IntervalSource.ROW,
                null,
                RateKind.ESTIMATE,
                null,
                null,
                mark == null ? null : new BigDecimal(mark),
                index == null ? null : new BigDecimal(index),
                BigDecimal.valueOf(1000),
                null,
                T0,
                false);
    }

    // The interval of a payment is the one that it closed.

    /** Readings of one contract, and the payments that came due between them. */
    private static List<Payment> charged(List<Reading> readings) {
        var payments = new ArrayList<Payment>();
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, readings.getFirst(), 0, T0);
        for (Reading reading : readings.subList(1, readings.size())) {
            for (DueSettlement due : DueSettlement.between(listing, reading.observedAtMs())) {
                payments.add(assertInstanceOf(DueSettlement.Charged.class, due).payment());
            }
            listing = Listing.next(listing, BTC, reading, 0, reading.observedAtMs())
                    .listing();
        }
        return payments;
    }

    /** The row says 4 h from 09:00 on, while its last 8-hour charge of 16:00 is still to come; then every 4 hours. */
    @Test
    void comingIntervalDoesNotShortenPresentOne() {
        var readings = new ArrayList<Reading>();
        for (long at = T0 + MINUTE / 2; at < T0 + DAY + HOUR; at += MINUTE) {
            long into = at - T0;
            long next = T0 + (into < 16 * HOUR ? (into / (8 * HOUR) + 1) * 8 : (into / (4 * HOUR) + 1) * 4) * HOUR;
            readings.add(reading(at, into < 9 * HOUR ? 8 : 4, next));
        }
        List<Payment> payments = charged(readings);
        assertEquals(
                List.of(T0 + 8 * HOUR, T0 + 16 * HOUR, T0 + 20 * HOUR, T0 + 24 * HOUR),
                payments.stream().map(Payment::settledMs).toList());
        assertEquals(
                List.of("8", "8", "4", "4"),
                payments.stream().map(p -> p.intervalH().toPlainString()).toList());
    }

    /** The charge is the 8-hour rate by the hours that it closes: F = Σ r8h·h/8, also where the row shows the coming interval already. */
    @Test
    void estimatesHoursClosedNotHoursShown() {
        var rate8h = new BigDecimal("0.0012");
        var readings = new ArrayList<Reading>();
        for (long at = T0 + MINUTE / 2; at < T0 + DAY + HOUR; at += MINUTE) {
            long into = at - T0;
            long next = T0 + (into < 16 * HOUR ? (into / (8 * HOUR) + 1) * 8 : (into / (4 * HOUR) + 1) * 4) * HOUR;
            var shown = BigDecimal.valueOf(into < 9 * HOUR ? 8 : 4);
            BigDecimal rate = rate8h.multiply(shown).divide(BigDecimal.valueOf(8));
            readings.add(new Reading(at, RateKind.ESTIMATE, rate, rate8h, shown, next, null));
        }
        assertEquals(
                List.of("0.0012", "0.0012", "0.0006", "0.0006"),
                charged(readings).stream().map(p -> p.rate().toPlainString()).toList());
    }

    /**
     * One sample of a running rate is an estimate, not an accrual: a whole hour can have been charged at
     * other rates.
     */
    @Test
    void sampleOfRunningRateIsEstimate() {
        var rate8h = new BigDecimal("0.0008");
        List<Payment> payments = charged(List.of(
                new Reading(T0 + HOUR - MINUTE, RateKind.CONTINUOUS, null, rate8h, BigDecimal.valueOf(8), null, null),
                new Reading(T0 + HOUR + MINUTE, RateKind.CONTINUOUS, null, rate8h, BigDecimal.valueOf(8), null, null)));
        assertEquals(
                List.of(new Payment(
                        T0 + HOUR, new BigDecimal("0.0001"), Basis.ESTIMATE, BigDecimal.ONE, T0 + HOUR - MINUTE)),
                payments);
    }

    /** Settlements of an hour, of 4 and of 8 hours that were off by the same rate per 8 hours have the same error. */
    @Test
    void errorIsPerEightHoursOfClosedInterval() {
        for (int hours : new int[] {1, 4, 8}) {
            long at = T0 + 8 * HOUR;
            var interval = BigDecimal.valueOf(hours);
            PaymentDay day = PaymentDay.read(T0, null);
            BigDecimal off = new BigDecimal("0.0001").multiply(interval);
            day.add(0, new Payment(at, off, Basis.SETTLED, interval, at + 9), at);
            day.estimate(new Payment(at, BigDecimal.ZERO, Basis.ESTIMATE, interval, at - 9));
            assertEquals(new BigDecimal("0.0008"), day.at(at).estimateError8h());
        }
        PaymentDay unknown = PaymentDay.read(T0, null);
        unknown.add(0, new Payment(T0, BigDecimal.ONE, Basis.SETTLED, null, T0), T0);
        unknown.estimate(new Payment(T0, BigDecimal.ZERO, Basis.ESTIMATE, null, T0));
        assertNull(unknown.at(T0).estimateError8h(), "hours unknown");
    }

    /** While only some of it was read, the row's word is all there is. */
    @Test
    void afterAPauseTheRowsOwnIntervalCounts() {
        List<Payment> payments = charged(List.of(
                reading(T0 + 7 * HOUR + 59 * MINUTE, 8, T0 + 8 * HOUR),
                reading(T0 + 20 * HOUR, 4, T0 + 24 * HOUR),
                reading(T0 + 24 * HOUR - MINUTE, 4, T0 + 24 * HOUR),
                reading(T0 + 24 * HOUR + MINUTE, 4, T0 + 28 * HOUR)));
        assertEquals(
                List.of(T0 + 8 * HOUR, T0 + 24 * HOUR),
                payments.stream().map(Payment::settledMs).toList());
        assertEquals(new BigDecimal(4), payments.getLast().intervalH());
    }

    /** A settlement that comes without an interval keeps the announced one, whichever came first. */
    @Test
    void aSettlementKeepsTheIntervalThatWasAnnounced() {
        long at = T0 + 8 * HOUR;
        var estimate = new Payment(at, new BigDecimal("0.0001"), Basis.ESTIMATE, BigDecimal.valueOf(8), at - 9);
        var settled = new Payment(at, new BigDecimal("0.0002"), Basis.SETTLED, null, at + 9);
        for (boolean estimateFirst : new boolean[] {true, false}) {
            PaymentDay day = PaymentDay.read(T0, null);
            if (estimateFirst) {
                day.add(0, estimate, at);
                day.estimate(estimate);
                day.add(0, settled, at);
            } else {
                day.add(0, settled, at);
                day.add(0, estimate, at);
                day.estimate(estimate);
            }
            PaymentDay read = PaymentDay.read(T0, day.write());
            assertEquals(settled.closing(BigDecimal.valueOf(8)), read.at(at).settlement());
            assertEquals(new BigDecimal("0.0001"), read.at(at).estimateError8h());
        }
        PaymentDay unseen = PaymentDay.read(T0, null);
        unseen.expect(0, at, BigDecimal.valueOf(8));
        assertNull(PaymentDay.read(T0, unseen.write()).at(at).settlement());
        unseen.add(0, settled, at);
        assertEquals(new BigDecimal(8), unseen.at(at).settlement().intervalH());
    }
}
