package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.assertSame;
import static io.fundingobservatory.streams.carry.LedgerTables.hours;
import static io.fundingobservatory.streams.carry.LedgerTables.inWindow;
import static io.fundingobservatory.streams.carry.LedgerTables.leg;
import static io.fundingobservatory.streams.carry.LedgerTables.pair;
import static io.fundingobservatory.streams.carry.LedgerTables.sum;
import static io.fundingobservatory.streams.carry.LedgerTables.table;
import static io.fundingobservatory.streams.carry.RandomLedgers.DAY_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.WINDOW;
import static io.fundingobservatory.streams.carry.RandomLedgers.as;
import static io.fundingobservatory.streams.carry.RandomLedgers.at;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static io.fundingobservatory.streams.carry.RandomLedgers.withoutIntervals;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.records.DayEncoding;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailyDifferences;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of the 30-day difference over seeded random ledgers, and a plain second computation of every value. */
class CarryInvariantsTest {
    private static final Serde<SettlementDay> DAYS = DayEncoding.serde();
    private static final int SEEDS = 200;

    // 1. D = F(short) − F(long) exactly.

    @Test
    void theDifferenceIsShortLessLongExactly() throws NoSuchAlgorithmException {
        int complete = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> a = random.changing();
            List<KnownSettlement> b = random.constant(random.interval(), 0);
            Contract ca = random.contract("aster", hours(a));
            Contract cb = random.contract("binance", hours(b));
            CarryPair pair = pair(cb, b, ca, a);
            boolean aCovers = a.getLast().settledMs() + hours(a) * HOUR_MS > T;
            assertEquals(aCovers, pair.complete());
            if (!aCovers) {
                continue;
            }
            complete++;
            assertNull(pair.reason());
            BigDecimal fa = sum(a);
            BigDecimal fb = sum(b);
            assertSame(fa.max(fb).subtract(fa.min(fb)), pair.fundingDifference());
            assertSame(
                    pair.fundingDifference(),
                    pair.shortLeg().fundingSum().subtract(pair.longLeg().fundingSum()));
            assertEquals(
                    fa.compareTo(fb) > 0 ? "aster" : "binance", pair.shortLeg().venue());
            assertEquals(receipt(ca, a, cb, b), pair.receipt());
        }
        assertTrue(complete > SEEDS / 2, "complete: " + complete);
    }

    private static String receipt(Contract ca, List<KnownSettlement> a, Contract cb, List<KnownSettlement> b)
            throws NoSuchAlgorithmException {
        var text = new StringBuilder();
        for (var leg : List.of(Map.entry(ca, a), Map.entry(cb, b))) {
            for (KnownSettlement p : inWindow(leg.getValue())) {
                String rate = p.rate().signum() == 0
                        ? "0"
                        : p.rate().stripTrailingZeros().toPlainString();
                text.append(leg.getKey().key().venue() + "|"
                        + leg.getKey().key().symbol() + "|0|" + p.settledMs() + "|" + rate + "|settled\n");
            }
        }
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }

    @Test
    void equalLegsHaveNoPositiveDay() {
        var random = new RandomLedgers(3);
        List<KnownSettlement> same = random.constant(8, 0);
        CarryPair pair = pair(random.contract("okx", 8), same, random.contract("binance", 8), same);
        assertSame(BigDecimal.ZERO, pair.fundingDifference());
        assertEquals(0, pair.positiveDays());
        assertEquals("binance", pair.longLeg().venue(), "ties in alphabetical order");
    }

    // 2. A constant interval gives 720/h events for every phase.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 24})
    void constantIntervalGivesExpectedCount(int intervalH) {
        var random = new RandomLedgers(intervalH);
        for (int phase = 0; phase < intervalH; phase++) {
            List<KnownSettlement> settlements = random.constant(intervalH, phase);
            for (List<KnownSettlement> said : List.of(settlements, withoutIntervals(settlements))) {
                Leg leg = leg(random.contract("okx", intervalH), said);
                assertEquals(new Coverage(30, 0, null), leg.coverage());
                assertEquals(720 / intervalH, leg.over(30).settlements());
                assertEquals(720 / intervalH, leg.over(30).expected());
            }
        }
    }

    /** Settlements stamped up to ten minutes late, each next to its own estimate at the announced instant. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 24})
    void lateStampsAreTheSettlementsOfTheirEstimates(int intervalH) {
        for (int seed = 0; seed < 50; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> truth = random.constant(intervalH, 1 + random.random.nextInt(intervalH - 1));
            var said = new ArrayList<KnownSettlement>();
            for (KnownSettlement p : truth) {
                long late = KnownSettlement.onTheMinute(p.settledMs() + random.random.nextInt(559_000));
                said.add(at(late, p));
                said.add(as(Basis.ESTIMATE, random.rate(), p));
            }
            boolean published = random.random.nextBoolean();
            Leg leg =
                    leg(random.contract("okx", intervalH), random.shuffled(published ? said : withoutIntervals(said)));
            assertEquals(new Coverage(30, 0, null), leg.coverage());
            assertEquals(720 / intervalH, leg.over(30).settlements());
            assertEquals(0, leg.over(30).estimated());
            assertSame(sum(truth), leg.sum(30));
        }
    }

    /**
     * The settlement at T − 720 h came a minute late and is in the window. The one at T is not late, or is
     * not yet known to be.
     */
    @Test
    void lateStampAtEdgeIsOneTooMany() {
        var random = new RandomLedgers(2);
        List<KnownSettlement> settlements = random.constant(8, 0);
        settlements.replaceAll(p -> p.settledMs() == T - 720 * HOUR_MS ? at(p.settledMs() + 60_000, p) : p);
        assertEquals(
                Coverage.CONTRADICTORY,
                leg(random.contract("okx", 8), settlements).coverage().reason());
        assertEquals(29, leg(random.contract("okx", 8), settlements).coverage().days());
        settlements.replaceAll(p -> p.settledMs() == T ? as(Basis.ESTIMATE, random.rate(), p) : p);
        settlements.add(at(T + 60_000, random.settlement(T, 8)));
        Leg leg = leg(random.contract("okx", 8), settlements);
        assertEquals(new Coverage(30, 0, null), leg.coverage());
        assertEquals(90, leg.over(30).settlements());
    }

    // 3. Edges: in at T, out at T − 720 h.

    @Test
    void inAtTAndOutAtTheStart() {
        var random = new RandomLedgers(1);
        List<KnownSettlement> settlements = random.constant(8, 0);
        settlements.add(random.settlement(T + 8 * HOUR_MS, 8));
        Leg leg = leg(random.contract("okx", 8), settlements);
        assertEquals(T - 712 * HOUR_MS, leg.over(30).firstSettlementMs());
        assertEquals(T, leg.over(30).lastSettlementMs());
        assertEquals(90, leg.over(30).settlements());
        assertTrue(settlements.stream().anyMatch(p -> p.settledMs() == T - 720 * HOUR_MS));
    }

    // 4. Jitter of ±29 s and duplicates change nothing.

    @Test
    void jitterAndDuplicatesChangeNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> exact = random.changing();
            var noisy = new ArrayList<KnownSettlement>();
            for (KnownSettlement p : exact) {
                for (int copy = 0; copy <= random.random.nextInt(3); copy++) {
                    noisy.add(
                            at(KnownSettlement.onTheMinute(p.settledMs() + random.random.nextInt(58_001) - 29_000), p));
                }
            }
            assertEquals(
                    ledger(exact).settlements(), ledger(random.shuffled(noisy)).settlements());
        }
    }

    // 5. Over interval changes F is still Σ r, and Σ r8h(k)·h(k)/8 with h(k) from the instants alone.

    @Test
    void sumFollowsHoursAcrossIntervalChanges() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            var settlements = new ArrayList<KnownSettlement>();
            BigDecimal by8h = BigDecimal.ZERO;
            long before = WINDOW.startMs() - 30 * HOUR_MS;
            for (KnownSettlement p : random.changing()) {
                BigDecimal rate8h = random.rate();
                long hours = (p.settledMs() - before) / HOUR_MS;
                before = p.settledMs();
                BigDecimal charged = rate8h.multiply(p.intervalH())
                        .divide(new BigDecimal(8)); // what the exchange's own rule charges
                settlements.add(as(p.basis(), charged, p));
                if (p.settledMs() > WINDOW.startMs()) {
                    by8h = by8h.add(rate8h.multiply(new BigDecimal(hours)).divide(new BigDecimal(8)));
                }
            }
            Leg leg = leg(random.contract("okx", hours(settlements)), settlements);
            assertSame(sum(settlements), leg.sum(30));
            assertSame(by8h, leg.sum(30));
        }
    }

    // 6. A relisting restarts, and only a relisting.

    @Test
    void aRelistingRestarts() {
        var random = new RandomLedgers(3);
        var settlements = random.constant(8, 0);
        settlements.removeIf(p -> p.settledMs() <= T - 10 * DAY_MS);
        Contract relisted = random.contract("okx", 8, T - 10 * DAY_MS - 5 * HOUR_MS);
        assertEquals(
                new Coverage(10, 0, Coverage.RELISTED),
                leg(relisted, settlements).coverage());
        assertEquals(
                new Coverage(0, 0, Coverage.RELISTED),
                leg(relisted, List.of()).coverage(),
                "also before its first settlement");
        Contract longAgo = random.contract("okx", 8, T - 40 * DAY_MS);
        assertEquals(
                new Coverage(10, 0, Coverage.LISTED_IN_WINDOW),
                leg(longAgo, settlements).coverage());
        assertEquals(1, leg(relisted, settlements).over(10).listingEpoch());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 8, 12})
    void daysWithoutSettlementsAreGap(int days) {
        var random = new RandomLedgers(3);
        var settlements = random.constant(8, 0);
        settlements.removeIf(p -> p.settledMs() > T - (10 + days) * DAY_MS && p.settledMs() <= T - 10 * DAY_MS);
        Coverage coverage = leg(random.contract("okx", 8), settlements).coverage();
        assertEquals(new Coverage(10, 3L * days, Coverage.GAP), coverage);
    }

    // 7. D(a,b) = −D(b,a). 8. D(a,c) = D(a,b) + D(b,c).

    /** F of the one less F of the other, from whichever of them the pair calls short. */
    private static BigDecimal difference(CarryTable table, String of, String less) {
        CarryPair pair = table.pairs().stream()
                .filter(p -> List.of(p.longLeg().venue(), p.shortLeg().venue()).containsAll(List.of(of, less)))
                .findFirst()
                .orElseThrow();
        return pair.shortLeg().venue().equals(of)
                ? pair.fundingDifference()
                : pair.fundingDifference().negate();
    }

    @Test
    void swappedLegsAreOpposite() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> a = random.constant(random.interval(), 0);
            List<KnownSettlement> b = random.constant(random.interval(), 0);
            CarryTable table = table(
                    Map.of(random.contract("aster", hours(a)), ledger(a), random.contract("okx", hours(b)), ledger(b)));
            CarryTable swapped = table(
                    Map.of(random.contract("aster", hours(b)), ledger(b), random.contract("okx", hours(a)), ledger(a)));
            assertSame(
                    difference(table, "aster", "okx"),
                    difference(swapped, "aster", "okx").negate());
            assertTrue(table.pairs().getFirst().fundingDifference().signum() >= 0);
        }
    }

    @Test
    void equalSumsMakeFirstAlphabeticalLegLong() {
        var random = new RandomLedgers(7);
        List<KnownSettlement> settlements = random.constant(8, 0);
        CarryPair pair = pair(random.contract("okx", 8), settlements, random.contract("aster", 8), settlements);
        assertEquals("aster", pair.longLeg().venue());
        assertEquals(0, pair.fundingDifference().signum());
    }

    @Test
    void differencesAddUp() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            var ledgers = new LinkedHashMap<Contract, ContractSettlements>();
            for (String venue : List.of("aster", "bybit", "okx")) {
                List<KnownSettlement> settlements = random.constant(random.interval(), 0);
                ledgers.put(random.contract(venue, hours(settlements)), ledger(settlements));
            }
            CarryTable table = table(ledgers);
            assertEquals(3, table.pairs().size());
            assertSame(
                    difference(table, "aster", "okx"),
                    difference(table, "aster", "bybit").add(difference(table, "bybit", "okx")));
        }
    }

    // Day by day: the days of a pair add up to its difference, and each is that of its settlements.

    @Test
    void dailyDifferencesAddUpToDifference() {
        int shorter = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> a = random.changing();
            List<KnownSettlement> b = random.constant(random.interval(), 0);
            if (random.random.nextBoolean()) {
                a = a.subList(random.random.nextInt(a.size()), a.size());
            }
            CarryPair pair = pair(random.contract("aster", hours(a)), a, random.contract("binance", hours(b)), b);
            boolean aIsShort = pair.shortLeg().venue().equals("aster");
            List<KnownSettlement> received = aIsShort ? a : b;
            List<KnownSettlement> settled = aIsShort ? b : a;
            DailyDifferences days = DailyDifferences.of(pair.shortLeg(), pair.longLeg(), T);
            assertEquals(pair.days(), days.days().size());
            shorter += pair.days() < 7 ? 1 : 0;
            for (int last : new int[] {1, 7, 30}) {
                if (pair.days() < last) {
                    assertNull(days.over(last));
                } else {
                    assertSame(plain(received, settled, T - last * DAY_MS, T), days.over(last));
                }
            }
            if (pair.days() == 0) {
                assertNull(days.best());
                assertNull(days.worst());
                continue;
            }
            assertSame(pair.fundingDifference(), days.over((int) pair.days()));
            var byStart = new TreeMap<Long, BigDecimal>();
            for (long start = T - pair.days() * DAY_MS; start < T; start += DAY_MS) {
                byStart.put(start, plain(received, settled, start, start + DAY_MS));
            }
            assertEquals(
                    pair.positiveDays(),
                    byStart.values().stream().filter(d -> d.signum() > 0).count());
            assertSame(
                    byStart.values().stream().max(BigDecimal::compareTo).orElseThrow(),
                    days.best().difference());
            assertSame(
                    byStart.values().stream().min(BigDecimal::compareTo).orElseThrow(),
                    days.worst().difference());
            assertSame(byStart.get(days.best().startMs()), days.best().difference());
            assertSame(byStart.get(days.worst().startMs()), days.worst().difference());
        }
        assertTrue(shorter > 5, "pairs of fewer than 7 days: " + shorter);
    }

    private static BigDecimal plain(
            List<KnownSettlement> received, List<KnownSettlement> settled, long afterMs, long toMs) {
        BigDecimal difference = BigDecimal.ZERO;
        for (KnownSettlement p : received) {
            difference = p.settledMs() > afterMs && p.settledMs() <= toMs ? difference.add(p.rate()) : difference;
        }
        for (KnownSettlement p : settled) {
            difference = p.settledMs() > afterMs && p.settledMs() <= toMs ? difference.subtract(p.rate()) : difference;
        }
        return difference;
    }

    @Test
    void latestOfEqualDaysIsBestAndWorst() {
        var random = new RandomLedgers(7);
        List<KnownSettlement> settlements = random.constant(8, 0);
        CarryPair pair = pair(random.contract("okx", 8), settlements, random.contract("aster", 8), settlements);
        DailyDifferences days = DailyDifferences.of(pair.shortLeg(), pair.longLeg(), T);
        assertEquals(T - DAY_MS, days.best().startMs());
        assertEquals(T - DAY_MS, days.worst().startMs());
    }

    // Percentiles: each hour of the month has the 8-hour rate of the settlement that closed it.

    @Test
    void percentilesAreThoseOfHours() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> settlements =
                    seed % 2 == 0 ? random.changing() : random.constant(random.interval(), 0);
            var hours = new ArrayList<BigDecimal>();
            for (KnownSettlement p : inWindow(settlements)) {
                int closed = p.intervalH().intValueExact();
                BigDecimal rate8h =
                        p.rate().multiply(new BigDecimal(8)).divide(p.intervalH(), 18, RoundingMode.HALF_EVEN);
                hours.addAll(Collections.nCopies(closed, rate8h));
            }
            hours.sort(BigDecimal::compareTo);
            List<KnownSettlement> said = seed % 4 == 1 ? withoutIntervals(settlements) : settlements;
            Leg leg = leg(random.contract("okx", hours(settlements)), said);
            if (leg.coverage().days() < Window.DAYS) {
                assertNull(leg.over(leg.coverage().days()).percentiles());
                continue;
            }
            RatePercentiles percentiles = leg.over(7).percentiles();
            assertSame(hours.get(Math.ceilDiv(hours.size(), 10) - 1), percentiles.p10());
            assertSame(hours.get(Math.ceilDiv(hours.size(), 2) - 1), percentiles.p50());
            assertSame(hours.get(Math.ceilDiv(hours.size() * 9, 10) - 1), percentiles.p90());
        }
    }

    /** The rates n thousandths of 90 settlements: a tenth of them is 9. Of hourly ones 8 would be the rate of one settlement. */
    @Test
    void percentilesOfNinetySettlementsAreKnownByHand() {
        var random = new RandomLedgers(5);
        var settlements = new ArrayList<KnownSettlement>();
        for (int n = 0; n <= 90; n++) {
            BigDecimal rate = BigDecimal.valueOf(n * 37 % 91, 3); // every remainder once, in another order
            settlements.add(new KnownSettlement(
                    T - (90 - n) * 8 * HOUR_MS, rate, Basis.SETTLED, n % 2 == 0 ? null : new BigDecimal(8), T));
        }
        RatePercentiles percentiles =
                leg(random.contract("okx", 8), settlements).over(30).percentiles();
        assertEquals(
                new RatePercentiles(new BigDecimal("0.009"), new BigDecimal("0.045"), new BigDecimal("0.081")),
                percentiles);
        Leg shorter = leg(random.contract("okx", 8), settlements.subList(5, 91));
        assertEquals(28, shorter.coverage().days());
        assertNull(shorter.over(28).percentiles(), "two days are not known");
    }

    // 9. Incremental (add, replace, evict) = recomputed. 11. Order of arrival changes nothing.

    @Test
    void orderOfRecordsDoesNotChangeTable() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            Contract contract = random.contract("okx", 8);
            Contract other = random.contract("aster", 8);
            ContractSettlements constant = ledger(random.constant(8, 0));
            var said = new ArrayList<KnownSettlement>();
            for (KnownSettlement p : random.changing()) {
                said.add(p);
                if (random.random.nextInt(3) == 0) {
                    said.add(new KnownSettlement(
                            p.settledMs(), random.rate(), Basis.ESTIMATE, p.intervalH(), p.observedAtMs() + 5_000));
                }
                if (random.random.nextInt(5) == 0) {
                    said.add(new KnownSettlement(
                            p.settledMs(), random.rate(), Basis.SETTLED, p.intervalH(), p.observedAtMs() + 90_000));
                }
                if (random.random.nextInt(5) == 0) {
                    said.add(at(p.settledMs() + 120_000, as(Basis.ESTIMATE, random.rate(), p)));
                }
            }
            byte[] recomputed = CarryTable.CODEC.encode(table(Map.of(contract, ledger(said), other, constant)));
            for (int order = 0; order < 3; order++) {
                ContractSettlements stored = ofDays(random.shuffled(said));
                assertArrayEquals(
                        recomputed, CarryTable.CODEC.encode(table(Map.of(contract, stored, other, constant))));
            }
        }
    }

    /** Each record into the bytes of its day, one after the other; days before the window's are dropped in between. */
    private static ContractSettlements ofDays(List<KnownSettlement> said) {
        var days = new TreeMap<Long, byte[]>();
        for (KnownSettlement p : said) {
            long dayMs = SettlementDay.of(p.settledMs());
            byte[] known = days.get(dayMs);
            SettlementDay day = known == null
                    ? new SettlementDay(dayMs)
                    : DAYS.deserializer().deserialize("", known);
            day.enter(p.settledMs(), SettlementDay.Entry.of(0, p, p.settledMs() + 7));
            days.put(dayMs, DAYS.serializer().serialize("", day));
            days.headMap(SettlementDay.of(T - 33 * DAY_MS)).clear();
        }
        var ledger = new ContractSettlements();
        days.values()
                .forEach(bytes -> DAYS.deserializer()
                        .deserialize("", bytes)
                        .entries()
                        .forEach((settledMs, entry) -> {
                            assertEquals(settledMs + 7, entry.rawMs());
                            ledger.add(entry.withInterval());
                        }));
        return ledger;
    }

    @Test
    void windowEndsOnLastHourTenMinutesOld() {
        assertEquals(new Window(T), Window.at(T + 10 * 60_000));
        assertEquals(new Window(T - HOUR_MS), Window.at(T + 10 * 60_000 - 1));
        assertEquals(new Window(T), Window.at(T + HOUR_MS + 10 * 60_000 - 1));
    }
}
