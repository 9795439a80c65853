package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.LedgerTables.assertSame;
import static io.fundingobservatory.streams.carry.LedgerTables.hours;
import static io.fundingobservatory.streams.carry.LedgerTables.inWindow;
import static io.fundingobservatory.streams.carry.LedgerTables.leg;
import static io.fundingobservatory.streams.carry.LedgerTables.pair;
import static io.fundingobservatory.streams.carry.LedgerTables.sum;
import static io.fundingobservatory.streams.carry.RandomLedgers.DAY_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.as;
import static io.fundingobservatory.streams.carry.RandomLedgers.at;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
import static io.fundingobservatory.streams.carry.RandomLedgers.withoutIntervals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether a leg covers its days: any one missing or too many is found, and the reason is the true one. */
class CompletenessTest {
    private static final int SEEDS = 200;

    // 10. Any one missing settlement makes complete false; any one too many likewise.

    @Test
    void missingSettlementNeverShrinksCompleteRow() {
        for (int seed = 0; seed < 4 * SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            boolean changing = random.random.nextBoolean();
            List<KnownSettlement> whole = changing ? random.changing() : random.constant(intervalH, 0);
            boolean published = random.random.nextBoolean();
            List<KnownSettlement> known = published ? whole : withoutIntervals(whole);
            var lost = inWindow(known).get(random.random.nextInt(inWindow(known).size()));
            var holed = new ArrayList<>(known);
            holed.remove(lost);
            int current = hours(whole);
            CarryPair pair =
                    pair(random.contract("aster", current), holed, random.contract("okx", 8), random.constant(8, 0));
            assertFalse(pair.complete(), "seed " + seed);
            assertTrue(pair.days() < 30);
            assertNotNull(pair.reason());
            if (!changing) {
                Leg leg = leg(random.contract("aster", intervalH), holed);
                assertEquals(1, leg.coverage().missing());
                assertEquals(720 / intervalH, leg.over(0).expected());
                assertEquals(720 / intervalH - 1, leg.over(0).settlements());
                long days = (T - lost.settledMs()) / DAY_MS;
                assertEquals(days, leg.coverage().days());
            }
        }
    }

    /**
     * 8, 8, 4, 4 with the first of the fours lost, and 4, 4, 8, 8 with the last one lost. The distances look
     * like a real change of the interval.
     */
    @ParameterizedTest
    @CsvSource({"8, 4, 4", "4, 8, -4"})
    void settlementLostAtIntervalChangeIsMissed(int beforeH, int afterH, int lostH) {
        long change = T - 10 * DAY_MS;
        List<KnownSettlement> settlements = charges(beforeH, change, afterH, change + lostH * HOUR_MS);
        for (List<KnownSettlement> known : List.of(settlements, withoutIntervals(settlements))) {
            Leg leg = leg(new RandomLedgers(5).contract("okx", afterH), known);
            assertTrue(leg.coverage().days() <= 10, leg.coverage()::toString);
            assertTrue(leg.coverage().missing() >= 1);
        }
    }

    /**
     * Every settlement of a contract that went from 4 to 8 hours, and all but one of a contract that did so a
     * settlement later. Without the venue's interval the two are the same instants. A change that cannot be
     * distinguished from a loss counts as a loss, and no sum is computed over it. With the venue's interval
     * the first contract is complete.
     */
    @Test
    void unpublishedIntervalChangeIsIncomplete() {
        long change = T - 10 * DAY_MS;
        List<KnownSettlement> changed = charges(4, change, 8, 0);
        List<KnownSettlement> lost = charges(4, change + 8 * HOUR_MS, 8, change + 4 * HOUR_MS);
        assertEquals(
                changed.stream().map(KnownSettlement::settledMs).toList(),
                lost.stream().map(KnownSettlement::settledMs).toList());
        Contract contract = new RandomLedgers(5).contract("okx", 8);
        for (List<KnownSettlement> either : List.of(changed, lost)) {
            assertEquals(
                    new Coverage(9, 1, Coverage.GAP),
                    leg(contract, withoutIntervals(either)).coverage());
        }
        assertEquals(WHOLE, leg(contract, changed).coverage());
    }

    /** At one interval up to an instant and at another one from there, without the one of an instant. */
    private static List<KnownSettlement> charges(int beforeH, long changeMs, int afterH, long lostMs) {
        var random = new RandomLedgers(5);
        var settlements = new ArrayList<KnownSettlement>();
        for (long at = T - 32 * DAY_MS; at <= T; ) {
            int hours = at < changeMs ? beforeH : afterH;
            at += hours * HOUR_MS;
            if (at <= T && at != lostMs) {
                settlements.add(random.settlement(at, hours));
            }
        }
        return settlements;
    }

    @Test
    void extraSettlementNeverGrowsCompleteRow() {
        int merged = 0;
        int contradictory = 0;
        for (int seed = 0; seed < 4 * SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            List<KnownSettlement> whole = random.constant(intervalH, random.random.nextInt(intervalH));
            boolean published = random.random.nextBoolean();
            List<KnownSettlement> known = published ? whole : withoutIntervals(whole);
            long extraMs = T - random.random.nextInt(30 * 24 * 60) * 60_000L;
            if (known.stream().anyMatch(p -> p.settledMs() == extraMs)) {
                continue;
            }
            KnownSettlement like = known.getLast();
            var said = new ArrayList<>(known);
            Basis basis = random.random.nextBoolean() ? Basis.ESTIMATE : Basis.ACCRUED;
            said.add(
                    new KnownSettlement(extraMs, new BigDecimal("0.01"), basis, like.intervalH(), like.observedAtMs()));
            Contract contract = random.contract("aster", intervalH);
            CarryPair pair = pair(contract, said, random.contract("okx", 8), random.constant(8, 0));
            Leg leg = leg(contract, said);
            if (pair.complete()) {
                merged++;
                assertSame(sum(known), leg.sum(30));
                assertEquals(720 / intervalH, leg.over(30).settlements());
            } else {
                contradictory += Coverage.CONTRADICTORY.equals(pair.reason()) ? 1 : 0;
                assertTrue(leg.coverage().days() <= (T - extraMs) / DAY_MS + 1, leg.coverage()::toString);
            }
        }
        assertTrue(merged > SEEDS && contradictory > 0, merged + " merged, " + contradictory + " contradictory");
    }

    /** An announced settlement that the venue cancels after our last observation: its history goes on without it. */
    @Test
    void estimateSkippedByHistoryIsUnconfirmed() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            List<KnownSettlement> settlements = random.constant(intervalH, 0);
            int index = settlements.size() - 1 - random.random.nextInt(600 / intervalH);
            KnownSettlement estimate = as(Basis.ESTIMATE, random.rate(), settlements.get(index));
            settlements.set(index, estimate);
            boolean newest = index == settlements.size() - 1;
            Coverage coverage =
                    leg(random.contract("okx", intervalH), settlements).coverage();
            assertEquals(
                    newest ? WHOLE : new Coverage((int) ((T - estimate.settledMs()) / DAY_MS), 0, Coverage.UNCONFIRMED),
                    coverage);
            for (String venue : List.of("lbank", "deepcoin")) {
                assertEquals(
                        WHOLE,
                        leg(random.contract(venue, intervalH), settlements).coverage(),
                        "not its whole history is published");
            }
            settlements.set(index, random.settlement(estimate.settledMs(), intervalH));
            assertEquals(
                    WHOLE, leg(random.contract("okx", intervalH), settlements).coverage());
        }
    }

    /**
     * The last settlement is stamped after T and the one 30 days before it was on time: 720/h − 1 are in the window. The check of the
     * definition fails, so the row is incomplete until the next hour, when both are one window.
     */
    @Test
    void aLastStampAfterTheWindowIsMissing() {
        for (int intervalH : new int[] {1, 4, 8}) {
            for (boolean published : new boolean[] {true, false}) {
                var random = new RandomLedgers(intervalH);
                var settlements = new ArrayList<>(random.constant(intervalH, 0));
                settlements.set(settlements.size() - 1, at(T + 5 * 60_000, settlements.getLast()));
                List<KnownSettlement> known = published ? settlements : withoutIntervals(settlements);
                Contract contract = random.contract("okx", intervalH);
                Leg leg = leg(contract, known);
                assertEquals(new Coverage(0, 1, Coverage.SETTLEMENT_PENDING), leg.coverage());
                assertEquals(720 / intervalH - 1, leg.over(0).settlements());
                assertEquals(720 / intervalH, leg.over(0).expected());
                Window later = new Window(T + HOUR_MS);
                Leg then = new Leg(PricedContract.first(contract, T), ledger(known), later);
                assertEquals(intervalH == 1 ? 1 : 0, then.coverage().missing(), "hourly ones have one more by then");
            }
        }
    }

    /** A minute for an interval, as a slip of a unit makes it: 43,200 missing instants are counted, not listed. */
    @Test
    void aTinyIntervalCostsNothing() {
        var settlement =
                new KnownSettlement(T - 40 * DAY_MS, BigDecimal.ZERO, Basis.SETTLED, new BigDecimal("0.0167"), T);
        var contract = new Contract(
                new RandomLedgers(1).contract("okx", 8).key(),
                0,
                Long.MIN_VALUE,
                "BTC",
                "USDT",
                ContractType.LINEAR,
                new BigDecimal("0.0167"),
                null);
        long missing = leg(contract, List.of(settlement)).coverage().missing();
        assertEquals(720 * HOUR_MS / 60_120, missing, 1);
    }

    private static final Coverage WHOLE = new Coverage(30, 0, null);

    private static Arguments covered(String what, Contract contract, List<KnownSettlement> said, Coverage expected) {
        return Arguments.of(what, contract, ledger(said), expected);
    }

    private static List<KnownSettlement> moved(List<KnownSettlement> settlements, long ms) {
        return settlements.stream().map(p -> at(p.settledMs() + ms, p)).toList();
    }

    private static List<KnownSettlement> newest(List<KnownSettlement> settlements, int count) {
        return settlements.subList(settlements.size() - count, settlements.size());
    }

    /** One list of the venue, read at an instant. */
    private static List<KnownSettlement> readAt(long observedAtMs, List<KnownSettlement> settlements) {
        return settlements.stream()
                .map(p -> new KnownSettlement(p.settledMs(), p.rate(), p.basis(), null, observedAtMs))
                .toList();
    }

    static Stream<Arguments> legs() {
        var random = new RandomLedgers(4);
        Contract okx = random.contract("okx", 4);
        List<KnownSettlement> whole = random.constant(4, 0);
        List<KnownSettlement> young = newest(whole, 60);
        var legs = new ArrayList<>(List.of(
                covered("nothing", okx, List.of(), new Coverage(0, 0, Coverage.SERVICE_STARTED)),
                covered(
                        "without the last",
                        okx,
                        whole.subList(0, whole.size() - 1),
                        new Coverage(0, 1, Coverage.SETTLEMENT_PENDING)),
                covered(
                        "without the last two",
                        okx,
                        whole.subList(0, whole.size() - 2),
                        new Coverage(0, 2, Coverage.GAP)),
                covered("ten days", okx, young, new Coverage(10, 0, Coverage.LISTED_IN_WINDOW)),
                covered(
                        "ten days of estimates",
                        okx,
                        young.stream().map(p -> as(Basis.ESTIMATE, p.rate(), p)).toList(),
                        new Coverage(10, 0, Coverage.SERVICE_STARTED))));

        // Deepcoin shows the newest 100 rows: 16 days at 4 h. The end of such a list gives no listing date; that of a
        // shorter one does.
        Contract deepcoin = random.contract("deepcoin", 4);
        List<KnownSettlement> rows = readAt(T + 60_000, whole);
        var twoDaysLater = new ArrayList<>(
                readAt(T - 2 * DAY_MS + 60_000, newest(rows, 112).subList(0, 100)));
        twoDaysLater.addAll(newest(rows, 12));
        legs.addAll(List.of(
                covered("capped", deepcoin, newest(rows, 100), new Coverage(16, 0, Coverage.HISTORY_CAPPED)),
                covered("a whole history", okx, newest(rows, 100), new Coverage(16, 0, Coverage.LISTED_IN_WINDOW)),
                covered("a short list", deepcoin, newest(rows, 60), new Coverage(10, 0, Coverage.LISTED_IN_WINDOW)),
                covered(
                        "capped when its oldest was read",
                        deepcoin,
                        twoDaysLater,
                        new Coverage(18, 0, Coverage.HISTORY_CAPPED))));

        // What accrued in each hour by the venue's own history is published as well; a sample of ours between two of
        // them is not.
        Contract deribit = random.contract("deribit", 1);
        List<KnownSettlement> hours = new ArrayList<>(random.constant(1, 0));
        hours.replaceAll(p -> as(Basis.ACCRUED, p.rate(), p));
        legs.add(covered("accruals", deribit, List.copyOf(hours), WHOLE));
        hours.set(hours.size() - 50, as(Basis.ESTIMATE, random.rate(), hours.get(hours.size() - 50)));
        legs.add(covered("a sample among accruals", deribit, hours, new Coverage(2, 0, Coverage.UNCONFIRMED)));

        for (int intervalH : new int[] {1, 4, 8}) {
            Contract contract = random.contract("okx", intervalH);
            List<KnownSettlement> all = random.constant(intervalH, 0);
            String each = ", each " + intervalH + " h";
            legs.add(covered("as old as the window" + each, contract, inWindow(all), WHOLE));
            legs.add(covered("the same, wordless" + each, contract, inWindow(withoutIntervals(all)), WHOLE));
            legs.add(covered("all late by as much" + each, contract, moved(all, 5 * 60_000), WHOLE));
        }

        // With an interval that nobody publishes, one settlement before the window and none in it make no sum of 0.
        // They
        // are at most a day apart: the newest one missing is that of four hours before T, or of 25.
        Contract unknown = random.contract("deepcoin", null);
        KnownSettlement before = random.settlement(T - 30 * DAY_MS - 4 * HOUR_MS, 8);
        KnownSettlement last = random.settlement(T - HOUR_MS, 8);
        legs.add(covered(
                "none in the window", unknown, withoutIntervals(List.of(before)), new Coverage(0, 30, Coverage.GAP)));
        legs.add(covered(
                "one in the window",
                unknown,
                withoutIntervals(List.of(before, last)),
                new Coverage(1, 29, Coverage.GAP)));

        // What was announced.
        var announcedOnly = new ContractSettlements();
        for (long at = T - 40 * HOUR_MS; at <= T; at += 8 * HOUR_MS) {
            announcedOnly.expect(at);
        }
        legs.add(Arguments.of(
                "announced, never published",
                random.contract("edgex", 8),
                announcedOnly,
                new Coverage(0, 6, Coverage.GAP)));
        Contract eight = random.contract("okx", 8);
        ContractSettlements unseen = ledger(random.constant(8, 0));
        unseen.expect(T - 28 * HOUR_MS);
        legs.add(Arguments.of("announced and unseen", eight, unseen, new Coverage(1, 1, Coverage.GAP)));
        List<KnownSettlement> announced = random.constant(8, 3);
        ContractSettlements late = ledger(moved(announced, 300_000));
        announced.forEach(p -> late.expect(p.settledMs()));
        legs.add(Arguments.of("announced and late", eight, late, WHOLE));
        return legs.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("legs")
    void coversItsDaysAndSaysWhyNot(String what, Contract contract, ContractSettlements ledger, Coverage expected) {
        Leg leg = leg(contract, ledger);
        assertEquals(expected, leg.coverage());
        assertEquals(expected.missing(), leg.over(0).expected() - leg.over(0).settlements());
    }
}
