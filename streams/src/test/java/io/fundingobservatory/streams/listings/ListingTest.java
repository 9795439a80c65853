package io.fundingobservatory.streams.listings;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.listings.Listing.Change;
import io.fundingobservatory.streams.pairs.DayEncoding;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What observations change about a symbol: its listing numbers, and what took place between them. */
class ListingTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long T0 = 1_790_000_000_000L / DAY * DAY;

    private static final ContractKey CONTRACT = new ContractKey("okx", "BTC-USDT-SWAP");
    private static final ContractKey OTHER = new ContractKey("okx", "ETH-USDT-SWAP");

    private static final Identity BTC = identity("XBT", "BTC", 1);
    private static final Identity ETH = identity("ETH", "ETH", 1);

    private static Identity identity(String base, String asset, long scale) {
        return new Identity(base, asset, ContractType.LINEAR, BigDecimal.valueOf(scale), "USDT");
    }

    static Observation observation(long observedAtMs, @Nullable Integer intervalH, @Nullable Long nextMs) {
        return new Observation(
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
        private ReadTime readTime = new ReadTime();
        private @Nullable Listing listing;
        private final List<Change> changes = new ArrayList<>();

        void read(Identity identity, long atMs) {
            Change change = Listing.next(
                    listing, identity, observation(atMs, 8, null), readTime.at(CONTRACT, identity, atMs), atMs);
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
                readTime.at(OTHER, BTC, at);
            }
        }

        Listing listing() {
            assertTrue(listing != null);
            return listing;
        }
    }

    /** A contract that one process has followed goes on with another one that has read the venue for much longer. */
    @Test
    void aTakeoverByAnOlderProcessRelistsNothing() {
        var followed = new Followed();
        followed.read(BTC, T0 + 20 * DAY, T0 + 20 * DAY + HOUR);
        Listing listing = followed.listing();
        followed.readTime = new ReadTime();
        for (long at = T0; at <= T0 + 20 * DAY + HOUR; at += HOUR) {
            followed.readTime.at(CONTRACT, BTC, at);
        }
        followed.readTime.restore(CONTRACT, listing);
        followed.read(BTC, T0 + 20 * DAY + HOUR + MINUTE);
        assertInstanceOf(Change.Continued.class, followed.changes.getLast());
        assertEquals(0, followed.listing().listingEpoch());
    }

    @Test
    void aGlitchThatGoesBackCostsNothing() {
        var contract = new Followed();
        contract.read(BTC, T0, T0 + HOUR);
        Listing before = contract.listing();
        for (Identity odd : List.of(ETH, identity("1000XBT", "BTC", 1000), BTC)) {
            contract.read(
                    odd,
                    contract.listing().observedAtMs() + MINUTE,
                    contract.listing().observedAtMs() + 10 * MINUTE);
        }
        assertEquals(0, contract.listing().listingEpoch());
        assertEquals(Long.MIN_VALUE, contract.listing().sinceMs());
        assertEquals(BTC, contract.listing().identity());
        assertNull(contract.listing().pending());
        assertEquals(
                before.published().coinPrice(), contract.listing().published().coinPrice());
        assertInstanceOf(Change.Continued.class, contract.changes.getLast());
        assertEquals(
                18,
                contract.changes.stream()
                        .filter(Change.Unconfirmed.class::isInstance)
                        .count());
    }

    /** What took place while another identity showed is due from the last observation of its own, and not known from the other's rate. */
    @Test
    void duringAGlitchTheLastOwnReadingStands() {
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, observation(T0, 8, T0 + 3 * MINUTE), 0, T0);
        Listing waiting = Listing.next(listing, ETH, observation(T0 + MINUTE, 8, T0 + 2 * MINUTE), 0, T0)
                .listing();
        assertEquals(T0 + MINUTE, waiting.observedAtMs());
        assertSame(listing.last(), waiting.last());
        assertEquals(
                List.of(T0 + 3 * MINUTE),
                PassedSettlement.between(waiting, observation(T0 + 5 * MINUTE, 8, T0 + 8 * HOUR)).stream()
                        .map(PassedSettlement::settledMs)
                        .toList());
    }

    /** A contract is read for an hour, then as what is given for some minutes: its listing number, and what the last reading changed. */
    @ParameterizedTest
    @CsvSource({
        "BTC, BTC, LINEAR, 1, 60, 0, Continued", // another spelling of the same coin
        "XBT, XBTC, LINEAR, 1, 1, 0, Renamed", // another name in our own tables
        "XBT, XBTC, LINEAR, 1, 2, 0, Continued",
        "ETH, ETH, LINEAR, 1, 10, 0, Unconfirmed",
        "ETH, ETH, LINEAR, 1, 11, 1, Listed",
        "ETH, ETH, LINEAR, 1, 60, 1, Continued",
        "1000XBT, BTC, LINEAR, 1000, 11, 1, Listed",
        "XBT, BTC, INVERSE, 1, 11, 1, Listed",
    })
    void anotherContractForTenMinutesIsRelisting(
            String base, String asset, ContractType type, long scale, int minutes, long epoch, String changed) {
        var now = new Identity(base, asset, type, BigDecimal.valueOf(scale), "USDT");
        var contract = new Followed();
        contract.read(BTC, T0, T0 + HOUR);
        long last = contract.listing().observedAtMs();
        contract.read(now, T0 + HOUR, T0 + HOUR + minutes * MINUTE);
        assertEquals(epoch, contract.listing().listingEpoch());
        assertEquals(epoch == 0 ? Long.MIN_VALUE : last, contract.listing().sinceMs());
        assertEquals(
                changed.equals("Unconfirmed") ? BTC : now, contract.listing().identity());
        Change change = contract.changes.getLast();
        assertEquals(changed, change.getClass().getSimpleName());
        switch (change) {
            case Change.Listed(var listing, var former) -> assertEquals(BTC, former.identity());
            case Change.Renamed(var listing, String former) -> assertEquals("BTC", former);
            case Change.Continued continued -> {}
            case Change.Unconfirmed unconfirmed -> {}
        }
    }

    @Test
    void contractUnlistedForSevenDaysIsAnother() {
        var contract = new Followed();
        contract.read(BTC, T0, T0 + HOUR);
        long last = contract.listing().observedAtMs();
        contract.missing(T0 + HOUR, T0 + HOUR + 7 * DAY - 2 * MINUTE);
        contract.read(BTC, T0 + HOUR + 7 * DAY - 2 * MINUTE);
        assertEquals(0, contract.listing().listingEpoch(), "seven days are not yet more than seven days");
        last = contract.listing().observedAtMs();
        contract.missing(last + MINUTE, last + 7 * DAY + HOUR);
        contract.read(BTC, last + 7 * DAY + HOUR);
        assertEquals(1, contract.listing().listingEpoch());
        assertEquals(last, contract.listing().sinceMs());
    }

    @Test
    void aStandstillOfOursIsNoRelisting() {
        var contract = new Followed();
        contract.read(BTC, T0, T0 + HOUR);
        contract.read(BTC, T0 + 12 * DAY, T0 + 12 * DAY + HOUR);
        assertEquals(0, contract.listing().listingEpoch());
    }

    /** Minutes after the first price, and the next price: whether it is reported. */
    @ParameterizedTest
    @CsvSource({
        "60000, 58, 90000, false",
        "60000, 59, , false",
        "60000, 60, 60001, true",
        ", 1, 60000, true",
        ", 1439, , false",
        ", 1440, , true"
    })
    void reportsFirstPriceOfAnHour(@Nullable String first, long minutes, @Nullable String next, boolean reported) {
        long atMs = T0 + MINUTE;
        long nextMs = atMs + minutes * MINUTE;
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, priced(atMs, first), 0, atMs);
        var now = Listing.next(listing, BTC, priced(nextMs, next), 0, nextMs)
                .listing()
                .published();
        assertEquals(reported ? nextMs : atMs, now.atMs());
        assertEquals(
                reported ? priced(0, next).coinPrice() : listing.published().coinPrice(), now.coinPrice());
    }

    private static Observation priced(long atMs, @Nullable String price) {
        BigDecimal coinPrice = price == null ? null : new BigDecimal(price);
        return new Observation(atMs, RateKind.ESTIMATE, null, null, BigDecimal.valueOf(8), null, coinPrice);
    }

    @Test
    void withoutAMarkTheIndexTellsCoinsApart() {
        assertEquals(new BigDecimal("0.012"), Observation.of(row(null, "12")).coinPrice());
        assertEquals(new BigDecimal("0.011"), Observation.of(row("11", "12")).coinPrice());
        assertNull(Observation.of(row(null, null)).coinPrice());
    }

    private static Rate row(@Nullable String mark, @Nullable String index) {
        return SampleRecords.rate(
                fields("venue", "okx", "symbol", "S", "asset", "PEPE", "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null, "funding_rate_8h", null),
                fields("funding_interval_h", BigDecimal.valueOf(8), "funding_interval_source", IntervalSource.ROW),
                fields("funding_rate", null, "rate_kind", RateKind.ESTIMATE, "funding_rate_annualised", null),
                fields("next_funding_ms", null, "mark_price", mark == null ? null : new BigDecimal(mark)),
                fields("index_price", index == null ? null : new BigDecimal(index)),
                fields("price_scale", BigDecimal.valueOf(1000), "venue_time_ms", null, "observed_at_ms", T0),
                fields("stale", false));
    }

    // The interval of a settlement is the one that it closed.

    /** The settlements that took place between observations of one contract. */
    private static List<PassedSettlement> passed(List<Observation> observations) {
        var settlements = new ArrayList<PassedSettlement>();
        Listing listing = Listing.first(0, Long.MIN_VALUE, BTC, observations.getFirst(), 0, T0);
        for (Observation observation : observations.subList(1, observations.size())) {
            settlements.addAll(PassedSettlement.between(listing, observation));
            listing = Listing.next(listing, BTC, observation, 0, observation.observedAtMs())
                    .listing();
        }
        return settlements;
    }

    private static List<KnownSettlement> estimates(List<Observation> observations) {
        return passed(observations).stream()
                .map(due -> Objects.requireNonNull(due.estimate()))
                .toList();
    }

    @Test
    void estimateNeedsReadingWithinTwoMinutes() {
        for (long before : new long[] {2 * MINUTE, 2 * MINUTE + 1}) {
            List<PassedSettlement> passed =
                    passed(List.of(observation(T0 - before, 8, T0), observation(T0 + MINUTE, 8, T0 + 8 * HOUR)));
            assertEquals(1, passed.size());
            assertEquals(before == 2 * MINUTE, passed.getFirst().estimate() != null, before + " ms before");
        }
    }

    /**
     * A contract of 8 hours whose observation at one instant has another announcement. What is replaced within five minutes before it was
     * due has taken place; ten minutes before, it was moved. What was settled while nothing was announced is not known, so the next
     * settlement closes what its row says.
     */
    @ParameterizedTest
    @CsvSource({
        "28799800, 16, 0 8 16 24, 8 8 8 8", // 200 ms before
        "28560000, 16, 0 8 16 24, 8 8 8 8", // four minutes before
        "28200000, 12, 0 12 16 24, 8 12 4 8", // ten minutes before
        "28770000, , 0 16 24, 8 8 8",
    })
    void otherAnnouncementMovesOrSettles(long otherAtMs, @Nullable Long announcedH, String settled, String closed) {
        List<PassedSettlement> passed =
                passed(followed(T0 + otherAtMs, announcedH == null ? null : Long.valueOf(T0 + announcedH * HOUR)));
        assertEquals(settled, words(passed, due -> Long.toString((due.settledMs() - T0) / HOUR)));
        assertEquals(
                closed,
                words(passed, due -> Objects.requireNonNull(due.intervalH()).toPlainString()));
    }

    private static String words(List<PassedSettlement> passed, Function<PassedSettlement, String> word) {
        return passed.stream().map(word).collect(Collectors.joining(" "));
    }

    /** A contract of 8 hours, read each minute of 26 hours, and once with another announcement, which stands until it is due. */
    private static List<Observation> followed(long otherAtMs, @Nullable Long announcedMs) {
        var observations = new ArrayList<Observation>();
        for (long at = T0 - HOUR + MINUTE / 2; at < T0 + DAY + HOUR; at += MINUTE) {
            long next = (at / (8 * HOUR) + 1) * 8 * HOUR;
            boolean other = at >= otherAtMs && announcedMs != null && at < announcedMs;
            if (otherAtMs > at - MINUTE && otherAtMs <= at) {
                observations.add(observation(otherAtMs, 8, announcedMs));
            }
            if (otherAtMs != at) {
                observations.add(observation(at, 8, other ? announcedMs : Long.valueOf(next)));
            }
        }
        return observations;
    }

    /**
     * The row says 4 h from 09:00 on, while its last 8-hour settlement of 16:00 is still to come; then every 4 hours. Each settlement is
     * the 8-hour rate by the hours that it closes: F = Σ r8h·h/8.
     */
    @Test
    void estimatesHoursClosedNotHoursShown() {
        var rate8h = new BigDecimal("0.0012");
        var observations = new ArrayList<Observation>();
        for (long at = T0 + MINUTE / 2; at < T0 + DAY + HOUR; at += MINUTE) {
            long into = at - T0;
            long next = T0 + (into < 16 * HOUR ? (into / (8 * HOUR) + 1) * 8 : (into / (4 * HOUR) + 1) * 4) * HOUR;
            var shown = BigDecimal.valueOf(into < 9 * HOUR ? 8 : 4);
            BigDecimal rate = rate8h.multiply(shown).divide(BigDecimal.valueOf(8));
            observations.add(new Observation(at, RateKind.ESTIMATE, rate, rate8h, shown, next, null));
        }
        assertEquals(
                List.of(
                        "8 h after 8 h: 0.0012",
                        "16 h after 8 h: 0.0012",
                        "20 h after 4 h: 0.0006",
                        "24 h after 4 h: 0.0006"),
                estimates(observations).stream()
                        .map(p -> (p.settledMs() - T0) / HOUR + " h after " + p.intervalH() + " h: "
                                + p.rate().toPlainString())
                        .toList());
    }

    /**
     * One sample of a running rate is an estimate, not an accrual: a whole hour can have been charged at
     * other rates.
     */
    @Test
    void sampleOfRunningRateIsEstimate() {
        var rate8h = new BigDecimal("0.0008");
        List<KnownSettlement> settlements = estimates(List.of(
                new Observation(
                        T0 + HOUR - MINUTE, RateKind.CONTINUOUS, null, rate8h, BigDecimal.valueOf(8), null, null),
                new Observation(
                        T0 + HOUR + MINUTE, RateKind.CONTINUOUS, null, rate8h, BigDecimal.valueOf(8), null, null)));
        assertEquals(
                List.of(new KnownSettlement(
                        T0 + HOUR, new BigDecimal("0.0001"), Basis.ESTIMATE, BigDecimal.ONE, T0 + HOUR - MINUTE)),
                settlements);
    }

    /** Settlements of an hour, of 4 and of 8 hours that were off by the same rate per 8 hours have the same error. */
    @Test
    void errorIsPerEightHoursOfClosedInterval() {
        for (int hours : new int[] {1, 4, 8}) {
            long at = T0 + 8 * HOUR;
            var interval = BigDecimal.valueOf(hours);
            SettlementDay day = new SettlementDay(T0);
            BigDecimal off = new BigDecimal("0.0001").multiply(interval);
            enter(day, new KnownSettlement(at, off, Basis.SETTLED, interval, at + 9));
            enter(day, new KnownSettlement(at, BigDecimal.ZERO, Basis.ESTIMATE, interval, at - 9));
            assertEquals(new BigDecimal("0.0008"), day.at(at).estimateError8h());
        }
        SettlementDay unknown = new SettlementDay(T0);
        enter(unknown, new KnownSettlement(T0, BigDecimal.ONE, Basis.SETTLED, null, T0));
        enter(unknown, new KnownSettlement(T0, BigDecimal.ZERO, Basis.ESTIMATE, null, T0));
        assertNull(unknown.at(T0).estimateError8h(), "hours unknown");
    }

    private static void enter(SettlementDay day, KnownSettlement settlement) {
        day.merge(settlement.settledMs(), SettlementDay.Entry.of(0, settlement, settlement.settledMs()));
    }

    /** While only some of it was read, the row's word is all there is. */
    @Test
    void afterAPauseTheRowsOwnIntervalCounts() {
        List<KnownSettlement> settlements = estimates(List.of(
                observation(T0 + 7 * HOUR + 59 * MINUTE, 8, T0 + 8 * HOUR),
                observation(T0 + 20 * HOUR, 4, T0 + 24 * HOUR),
                observation(T0 + 24 * HOUR - MINUTE, 4, T0 + 24 * HOUR),
                observation(T0 + 24 * HOUR + MINUTE, 4, T0 + 28 * HOUR)));
        assertEquals(
                List.of(T0 + 8 * HOUR, T0 + 24 * HOUR),
                settlements.stream().map(KnownSettlement::settledMs).toList());
        assertEquals(new BigDecimal(4), settlements.getLast().intervalH());
    }

    /** A settlement that comes without an interval keeps the announced one, whichever came first. */
    @Test
    void aSettlementKeepsTheIntervalThatWasAnnounced() {
        long at = T0 + 8 * HOUR;
        var estimate = new KnownSettlement(at, new BigDecimal("0.0001"), Basis.ESTIMATE, BigDecimal.valueOf(8), at - 9);
        var settled = new KnownSettlement(at, new BigDecimal("0.0002"), Basis.SETTLED, null, at + 9);
        for (boolean estimateFirst : new boolean[] {true, false}) {
            SettlementDay day = new SettlementDay(T0);
            enter(day, estimateFirst ? estimate : settled);
            enter(day, estimateFirst ? settled : estimate);
            SettlementDay read = DayEncoding.serde()
                    .deserializer()
                    .deserialize("", DayEncoding.serde().serializer().serialize("", day));
            assertEquals(settled.closing(BigDecimal.valueOf(8)), read.at(at).withInterval());
            assertEquals(new BigDecimal("0.0001"), read.at(at).estimateError8h());
        }
        SettlementDay unseen = new SettlementDay(T0);
        unseen.merge(at, SettlementDay.Entry.expected(0, at, BigDecimal.valueOf(8)));
        assertNull(unseen.at(at).withInterval());
        enter(unseen, settled);
        assertEquals(new BigDecimal(8), unseen.at(at).withInterval().intervalH());
    }
}
