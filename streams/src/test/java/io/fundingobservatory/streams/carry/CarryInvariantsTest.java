package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.assertSame;
import static io.fundingobservatory.streams.carry.LedgerTables.hours;
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

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.KnownSettlements;
import io.fundingobservatory.oracle.PairsModel;
import io.fundingobservatory.streams.pairs.DayEncoding;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Basis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of the 30-day difference over seeded random ledgers; the oracle computes every value from the settlements. */
class CarryInvariantsTest {
    private static final Serde<SettlementDay> DAYS = DayEncoding.serde();
    private static final int SEEDS = 200;

    // 1. D = F(short) − F(long) exactly, 5. also over interval changes, 7. whichever leg is first, 8. for all pairs of
    // three legs; and
    // with it days, percentiles and receipt.

    @Test
    void tablesOfSeededLedgersEqualOracle() {
        int complete = 0;
        int shorter = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<KnownSettlement> changing = random.changing();
            boolean whole = random.random.nextBoolean();
            List<KnownSettlement> a =
                    whole ? changing : changing.subList(random.random.nextInt(changing.size()), changing.size());
            List<KnownSettlement> b = random.constant(random.interval(), 0);
            List<KnownSettlement> c = withoutIntervals(random.constant(random.interval(), 0));
            var said = new LinkedHashMap<Contract, List<KnownSettlement>>();
            said.put(random.contract("aster", hours(changing)), a);
            said.put(random.contract("bybit", hours(b)), b);
            said.put(random.contract("okx", null), c);
            var ledgers = new LinkedHashMap<Contract, ContractSettlements>();
            said.forEach((contract, settlements) -> ledgers.put(contract, ledger(settlements)));
            CarryTable table = table(ledgers);
            var oracle = new PairsModel(known(said), Assertions::fail);
            oracle.table(Json.object(CarryTable.CODEC.encode(table)));
            assertEquals(3, oracle.pairs());
            boolean aEndsAtT = a.getLast().settledMs() + hours(a) * HOUR_MS > T;
            for (CarryPair pair : table.pairs()) {
                boolean ofA =
                        List.of(pair.longLeg().venue(), pair.shortLeg().venue()).contains("aster");
                boolean covers = !ofA || (aEndsAtT && (whole || a.getFirst().settledMs() <= WINDOW.startMs()));
                assertTrue(pair.complete() || !covers, "seed " + seed + " " + pair);
                assertEquals(pair.complete(), pair.reason() == null);
                complete += ofA && pair.complete() ? 1 : 0;
                shorter += pair.days() < 7 ? 1 : 0;
            }
        }
        assertTrue(complete > SEEDS / 2 && shorter > 5, complete + " complete, " + shorter + " of fewer than 7 days");
    }

    private static KnownSettlements known(Map<Contract, List<KnownSettlement>> said) {
        var known = new KnownSettlements();
        said.forEach((contract, settlements) -> {
            var listing = new KnownSettlements.Listing(
                    contract.key().venue(), contract.key().symbol(), contract.listingEpoch());
            settlements.forEach(p -> known.put(
                    listing, p.settledMs(), new KnownSettlements.Settlement(p.rate(), "settled", p.intervalH())));
        });
        return known;
    }

    @Test
    void equalSumsMakeFirstAlphabeticalLegLong() {
        var random = new RandomLedgers(7);
        List<KnownSettlement> settlements = random.constant(8, 0);
        CarryPair pair = pair(random.contract("okx", 8), settlements, random.contract("aster", 8), settlements);
        assertEquals("aster", pair.longLeg().venue());
        assertEquals(0, pair.fundingDifference().signum());
        assertEquals(0, pair.positiveDays());
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
        Leg leg = leg(random.contract("okx", 8), settlements);
        assertEquals(new Coverage(10, 3L * days, Coverage.GAP), leg.coverage());
        assertNull(leg.over(10).percentiles(), "30 days are not known");
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
            day.merge(p.settledMs(), SettlementDay.Entry.of(0, p, p.settledMs() + 7));
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
