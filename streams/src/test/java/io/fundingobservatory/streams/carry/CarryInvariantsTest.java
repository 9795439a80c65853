package io.fundingobservatory.streams.carry;

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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Basis;
import io.fundingobservatory.topics.CarryPair;
import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.ContractType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of the 30-day difference over seeded random ledgers, and a plain second computation of every figure. */
class CarryInvariantsTest {
    private static final int SEEDS = 200;

    private static CarryTable table(Map<Contract, Ledger> ledgers) {
        return PairTable.of(
                "BTC",
                ledgers.entrySet().stream()
                        .map(e -> new PairTable.Input(e.getKey(), e.getValue(), true))
                        .toList(),
                WINDOW);
    }

    private static CarryPair pair(Contract a, Iterable<Payment> paidByA, Contract b, Iterable<Payment> paidByB) {
        return table(Map.of(a, ledger(paidByA), b, ledger(paidByB))).pairs().getFirst();
    }

    private static Leg leg(Contract contract, Ledger ledger) {
        return new Leg(contract, ledger, true, WINDOW);
    }

    private static Leg leg(Contract contract, Iterable<Payment> payments) {
        return leg(contract, ledger(payments));
    }

    private static List<Payment> inWindow(List<Payment> payments) {
        return payments.stream()
                .filter(p -> p.settledMs() > T - 720 * HOUR_MS && p.settledMs() <= T)
                .toList();
    }

    private static BigDecimal sum(List<Payment> payments) {
        return inWindow(payments).stream().map(Payment::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static void assertSame(BigDecimal expected, BigDecimal actual) {
        assertTrue(expected.compareTo(actual) == 0, expected + " is not " + actual);
    }

    // 1. D = F(short) − F(long) exactly.

    @Test
    void theDifferenceIsShortLessLongExactly() throws NoSuchAlgorithmException {
        int complete = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> a = random.changing();
            List<Payment> b = random.constant(random.interval(), 0);
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

    private static int hours(List<Payment> payments) {
        return payments.getLast().intervalH().intValueExact();
    }

    private static String receipt(Contract ca, List<Payment> a, Contract cb, List<Payment> b)
            throws NoSuchAlgorithmException {
        var text = new StringBuilder();
        for (var leg : List.of(Map.entry(ca, a), Map.entry(cb, b))) {
            for (Payment p : inWindow(leg.getValue())) {
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

    // 2. A constant interval gives 720/h events for every phase.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 24})
    void aConstantIntervalGives720OverHInEveryPhase(int intervalH) {
        var random = new RandomLedgers(intervalH);
        for (int phase = 0; phase < intervalH; phase++) {
            List<Payment> payments = random.constant(intervalH, phase);
            for (List<Payment> said : List.of(payments, withoutIntervals(payments))) {
                Leg leg = leg(random.contract("okx", intervalH), said);
                assertEquals(new Coverage(30, 0, null), leg.coverage());
                assertEquals(720 / intervalH, leg.over(30).settlements());
                assertEquals(720 / intervalH, leg.over(30).expected());
            }
        }
    }

    /** Charges stamped up to ten minutes late, each beside its own estimate at the announced instant. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 24})
    void lateStampsAreTheSettlementsOfTheirEstimates(int intervalH) {
        for (int seed = 0; seed < 50; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> truth = random.constant(intervalH, 1 + random.random.nextInt(intervalH - 1));
            var said = new ArrayList<Payment>();
            for (Payment p : truth) {
                long late = Payment.onTheMinute(p.settledMs() + random.random.nextInt(559_000));
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

    /** The charge at T − 720 h came a minute late and is in; the one at T is not late, or not yet known to be. */
    @Test
    void aStampThatIsLateAtTheEdgeIsOneTooMany() {
        var random = new RandomLedgers(2);
        List<Payment> payments = random.constant(8, 0);
        payments.replaceAll(p -> p.settledMs() == T - 720 * HOUR_MS ? at(p.settledMs() + 60_000, p) : p);
        assertEquals(
                Coverage.CONTRADICTORY,
                leg(random.contract("okx", 8), payments).coverage().reason());
        assertEquals(29, leg(random.contract("okx", 8), payments).coverage().days());
        payments.replaceAll(p -> p.settledMs() == T ? as(Basis.ESTIMATE, random.rate(), p) : p);
        payments.add(at(T + 60_000, random.payment(T, 8)));
        Leg leg = leg(random.contract("okx", 8), payments);
        assertEquals(new Coverage(30, 0, null), leg.coverage());
        assertEquals(90, leg.over(30).settlements());
    }

    // 3. Edges: in at T, out at T − 720 h.

    @Test
    void inAtTAndOutAtTheStart() {
        var random = new RandomLedgers(1);
        List<Payment> payments = random.constant(8, 0);
        payments.add(random.payment(T + 8 * HOUR_MS, 8));
        Leg leg = leg(random.contract("okx", 8), payments);
        assertEquals(T - 712 * HOUR_MS, leg.over(30).firstSettlementMs());
        assertEquals(T, leg.over(30).lastSettlementMs());
        assertEquals(90, leg.over(30).settlements());
        assertTrue(payments.stream().anyMatch(p -> p.settledMs() == T - 720 * HOUR_MS));
    }

    // 4. Jitter of ±29 s and duplicates change nothing.

    @Test
    void jitterAndDuplicatesChangeNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> exact = random.changing();
            var noisy = new ArrayList<Payment>();
            for (Payment p : exact) {
                for (int copy = 0; copy <= random.random.nextInt(3); copy++) {
                    noisy.add(at(Payment.onTheMinute(p.settledMs() + random.random.nextInt(58_001) - 29_000), p));
                }
            }
            assertEquals(ledger(exact), ledger(random.shuffled(noisy)));
        }
    }

    // 5. Over interval changes F is still Σ r, and Σ r8h(k)·h(k)/8 with h(k) from the instants alone.

    @Test
    void overIntervalChangesTheSumIsThatOf8HourRatesByTheHoursBetweenCharges() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            var payments = new ArrayList<Payment>();
            BigDecimal by8h = BigDecimal.ZERO;
            long before = WINDOW.startMs() - 30 * HOUR_MS;
            for (Payment p : random.changing()) {
                BigDecimal rate8h = random.rate();
                long hours = (p.settledMs() - before) / HOUR_MS;
                before = p.settledMs();
                BigDecimal charged = rate8h.multiply(p.intervalH())
                        .divide(new BigDecimal(8)); // what the exchange's own rule charges
                payments.add(as(p.basis(), charged, p));
                if (p.settledMs() > WINDOW.startMs()) {
                    by8h = by8h.add(rate8h.multiply(new BigDecimal(hours)).divide(new BigDecimal(8)));
                }
            }
            Leg leg = leg(random.contract("okx", hours(payments)), payments);
            assertSame(sum(payments), leg.sum(30));
            assertSame(by8h, leg.sum(30));
        }
    }

    // 6. A relisting restarts, and only a relisting.

    @Test
    void aRelistingRestarts() {
        var random = new RandomLedgers(3);
        var payments = random.constant(8, 0);
        payments.removeIf(p -> p.settledMs() <= T - 10 * DAY_MS);
        Contract relisted = random.contract("okx", 8, T - 10 * DAY_MS - 5 * HOUR_MS);
        assertEquals(
                new Coverage(10, 0, Coverage.RELISTED), leg(relisted, payments).coverage());
        Contract longAgo = random.contract("okx", 8, T - 40 * DAY_MS);
        assertEquals(
                new Coverage(10, 0, Coverage.LISTED_IN_WINDOW),
                leg(longAgo, payments).coverage());
        assertEquals(1, leg(relisted, payments).over(10).listingEpoch());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 8, 12})
    void daysWithoutPaymentsAreAGap(int days) {
        var random = new RandomLedgers(3);
        var payments = random.constant(8, 0);
        payments.removeIf(p -> p.settledMs() > T - (10 + days) * DAY_MS && p.settledMs() <= T - 10 * DAY_MS);
        Coverage coverage = leg(random.contract("okx", 8), payments).coverage();
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
            List<Payment> a = random.constant(random.interval(), 0);
            List<Payment> b = random.constant(random.interval(), 0);
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
    void ofTwoEqualSumsTheFirstInTheAlphabetIsLong() {
        var random = new RandomLedgers(7);
        List<Payment> payments = random.constant(8, 0);
        CarryPair pair = pair(random.contract("okx", 8), payments, random.contract("aster", 8), payments);
        assertEquals("aster", pair.longLeg().venue());
        assertEquals(0, pair.fundingDifference().signum());
    }

    @Test
    void differencesAddUp() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            var ledgers = new LinkedHashMap<Contract, Ledger>();
            for (String venue : List.of("aster", "bybit", "okx")) {
                List<Payment> payments = random.constant(random.interval(), 0);
                ledgers.put(random.contract(venue, hours(payments)), ledger(payments));
            }
            CarryTable table = table(ledgers);
            assertEquals(3, table.pairs().size());
            assertSame(
                    difference(table, "aster", "okx"),
                    difference(table, "aster", "bybit").add(difference(table, "bybit", "okx")));
        }
    }

    // 9. Incremental (add, replace, evict) = recomputed. 11. Order of arrival changes nothing.

    @Test
    void daysOfAStoreThatTookEachRecordInAnyOrderMakeTheTableOfAllRecords() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            Contract contract = random.contract("okx", 8);
            Contract other = random.contract("aster", 8);
            Ledger constant = ledger(random.constant(8, 0));
            var said = new ArrayList<Payment>();
            for (Payment p : random.changing()) {
                said.add(p);
                if (random.random.nextInt(3) == 0) {
                    said.add(new Payment(
                            p.settledMs(), random.rate(), Basis.ESTIMATE, p.intervalH(), p.observedAtMs() + 5_000));
                }
                if (random.random.nextInt(5) == 0) {
                    said.add(new Payment(
                            p.settledMs(), random.rate(), Basis.SETTLED, p.intervalH(), p.observedAtMs() + 90_000));
                }
                if (random.random.nextInt(5) == 0) {
                    said.add(at(p.settledMs() + 120_000, as(Basis.ESTIMATE, random.rate(), p)));
                }
            }
            byte[] recomputed = CarryTable.CODEC.encode(table(Map.of(contract, ledger(said), other, constant)));
            for (int order = 0; order < 3; order++) {
                Ledger stored = ofDays(random.shuffled(said));
                assertArrayEquals(
                        recomputed, CarryTable.CODEC.encode(table(Map.of(contract, stored, other, constant))));
            }
        }
    }

    /** Each record into the bytes of its day, one after the other; days before the window's are dropped in between. */
    private static Ledger ofDays(List<Payment> said) {
        var days = new TreeMap<Long, byte[]>();
        for (Payment p : said) {
            long dayMs = PaymentDay.of(p.settledMs());
            PaymentDay day = PaymentDay.read(dayMs, days.get(dayMs));
            day.add(0, p, p.settledMs() + 7);
            days.put(dayMs, day.write());
            days.headMap(PaymentDay.of(T - 33 * DAY_MS)).clear();
        }
        var ledger = new Ledger();
        days.forEach((dayMs, bytes) -> PaymentDay.read(dayMs, bytes).entries().forEach((settledMs, entry) -> {
            assertEquals(settledMs + 7, entry.rawMs());
            ledger.add(entry.settlement());
        }));
        return ledger;
    }

    // 10. Any one missing settlement makes complete false; any one too many likewise.

    @Test
    void anyOneMissingSettlementIsNeverASmallerNumberInACompleteRow() {
        for (int seed = 0; seed < 4 * SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            boolean changing = random.random.nextBoolean();
            List<Payment> whole = changing ? random.changing() : random.constant(intervalH, 0);
            boolean published = random.random.nextBoolean();
            List<Payment> known = published ? whole : withoutIntervals(whole);
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

    /** 8, 8, 4, 4 with the first of the fours lost, and 4, 4, 8, 8 with the last: the distances look like an honest change. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChargeLostExactlyAtAChangeIsMissed(boolean narrowing) {
        var random = new RandomLedgers(5);
        long change = T - 10 * DAY_MS;
        for (boolean published : new boolean[] {true, false}) {
            var payments = new ArrayList<Payment>();
            long at = T - 32 * DAY_MS;
            while (at < T) {
                int hours = (at < change) == narrowing ? 8 : 4;
                at += hours * HOUR_MS;
                payments.add(random.payment(at, hours));
            }
            long lost = narrowing ? change + 4 * HOUR_MS : change - 4 * HOUR_MS;
            assertTrue(payments.removeIf(p -> p.settledMs() == lost));
            Leg leg = leg(random.contract("okx", narrowing ? 4 : 8), published ? payments : withoutIntervals(payments));
            assertTrue(leg.coverage().days() <= 10, leg.coverage()::toString);
            assertTrue(leg.coverage().missing() >= 1);
        }
    }

    @Test
    void anyOneTooManyIsNeverALargerNumberInACompleteRow() {
        int merged = 0;
        int contradictory = 0;
        for (int seed = 0; seed < 4 * SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            List<Payment> whole = random.constant(intervalH, random.random.nextInt(intervalH));
            boolean published = random.random.nextBoolean();
            List<Payment> known = published ? whole : withoutIntervals(whole);
            long extraMs = T - random.random.nextInt(30 * 24 * 60) * 60_000L;
            if (known.stream().anyMatch(p -> p.settledMs() == extraMs)) {
                continue;
            }
            Payment like = known.getLast();
            var said = new ArrayList<>(known);
            said.add(new Payment(
                    extraMs, new BigDecimal("0.01"), Basis.ESTIMATE, like.intervalH(), like.observedAtMs()));
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

    /** The same charge under the stamp of its hour and under one 40 s late, both as settled: one of them, whichever was read last. */
    @Test
    void aChargePublishedTwiceIsOne() {
        var random = new RandomLedgers(8);
        List<Payment> payments = random.constant(8, 0);
        Payment p = payments.get(40);
        payments.add(new Payment(
                p.settledMs() + 60_000, new BigDecimal("0.0007"), p.basis(), p.intervalH(), p.observedAtMs() + 60_000));
        Leg leg = leg(random.contract("okx", 8), payments);
        assertEquals(new Coverage(30, 0, null), leg.coverage());
        assertEquals(90, leg.over(30).settlements());
    }

    @Test
    void hourlyChargesAfterEightHourlyOnesAreAllSettlements() {
        var random = new RandomLedgers(8);
        var payments = new ArrayList<Payment>();
        for (long at = T - 32 * DAY_MS; at <= T; at += at < T - 5 * DAY_MS ? 8 * HOUR_MS : HOUR_MS) {
            payments.add(random.payment(at, at <= T - 5 * DAY_MS ? 8 : 1));
        }
        assertEquals(
                25 * 3 + 5 * 24,
                leg(random.contract("okx", 1), payments).over(30).settlements());
        assertEquals(
                25 * 3 + 5 * 24,
                leg(random.contract("okx", 1), withoutIntervals(payments))
                        .over(0)
                        .settlements());
    }

    // What was announced.

    @Test
    void anAnnouncedSettlementThatWasNeverSeenIsMissing() {
        var random = new RandomLedgers(9);
        Ledger ledger = ledger(random.constant(8, 0));
        ledger.expect(T - 28 * HOUR_MS);
        Leg leg = leg(random.contract("okx", 8), ledger);
        assertEquals(new Coverage(1, 1, Coverage.GAP), leg.coverage());
    }

    @Test
    void anAnnouncedInstantIsPaidByAChargeThatIsStampedLate() {
        var random = new RandomLedgers(9);
        List<Payment> payments = random.constant(8, 3);
        Ledger ledger = ledger(
                payments.stream().map(p -> at(p.settledMs() + 300_000, p)).toList());
        payments.forEach(p -> ledger.expect(p.settledMs()));
        assertEquals(
                new Coverage(30, 0, null),
                leg(random.contract("okx", 8), ledger).coverage());
    }

    @Test
    void whatWasAnnouncedAndNeverPaidIsExpected() {
        var random = new RandomLedgers(9);
        var ledger = new Ledger();
        for (long at = T - 40 * HOUR_MS; at <= T; at += 8 * HOUR_MS) {
            ledger.expect(at);
        }
        Leg leg = leg(random.contract("edgex", 8), ledger);
        assertEquals(new Coverage(0, 6, Coverage.GAP), leg.coverage());
        assertEquals(6, leg.over(0).expected());
        assertEquals(0, leg.over(0).settlements());
    }

    /** A minute for an interval, as a slip of a unit makes it: 43,200 missing instants are counted, not listed. */
    @Test
    void aTinyIntervalCostsNothing() {
        var payment = new Payment(T - 40 * DAY_MS, BigDecimal.ZERO, Basis.SETTLED, new BigDecimal("0.0167"), T);
        var contract = new Contract(
                new RandomLedgers(1).contract("okx", 8).key(),
                0,
                Long.MIN_VALUE,
                "BTC",
                ContractType.LINEAR,
                new BigDecimal("0.0167"),
                null);
        long begun = System.nanoTime();
        long missing = leg(contract, List.of(payment)).coverage().missing();
        assertTrue(System.nanoTime() - begun < 1_000_000_000L, "a second");
        assertEquals(720 * HOUR_MS / 60_120, missing, 1);
    }

    // Reasons.

    @Test
    void reasonsTellApartWhatIsMissing() {
        var random = new RandomLedgers(4);
        Contract okx = random.contract("okx", 4);
        List<Payment> whole = random.constant(4, 0);
        assertEquals(Coverage.SERVICE_STARTED, leg(okx, List.of()).coverage().reason());
        assertEquals(
                Coverage.SETTLEMENT_PENDING,
                leg(okx, whole.subList(0, whole.size() - 1)).coverage().reason());
        assertEquals(
                Coverage.GAP,
                leg(okx, whole.subList(0, whole.size() - 2)).coverage().reason());
        List<Payment> young = whole.subList(whole.size() - 60, whole.size());
        assertEquals(
                new Coverage(10, 0, Coverage.LISTED_IN_WINDOW), leg(okx, young).coverage());
        var estimated = young.stream().map(p -> as(Basis.ESTIMATE, p.rate(), p)).toList();
        assertEquals(Coverage.SERVICE_STARTED, leg(okx, estimated).coverage().reason());
    }

    /** BitMart shows the newest 100 rows: 16 days at 4 h. The end of such a list is no listing date, that of a shorter one is. */
    @Test
    void theEndOfACappedHistoryIsNoListing() {
        var random = new RandomLedgers(4);
        List<Payment> whole = random.constant(4, 0).stream()
                .map(p -> new Payment(p.settledMs(), p.rate(), p.basis(), null, T + 60_000))
                .toList();
        List<Payment> hundred = whole.subList(whole.size() - 100, whole.size());
        assertEquals(
                new Coverage(16, 0, Coverage.HISTORY_CAPPED),
                leg(random.contract("bitmart", 4), hundred).coverage());
        assertEquals(
                new Coverage(16, 0, Coverage.LISTED_IN_WINDOW),
                leg(random.contract("okx", 4), hundred).coverage());
        assertEquals(
                Coverage.LISTED_IN_WINDOW,
                leg(random.contract("bitmart", 4), whole.subList(whole.size() - 60, whole.size()))
                        .coverage()
                        .reason());
        // Two days later: the list was of 100 rows when its oldest was read.
        var later = new ArrayList<>(whole.subList(whole.size() - 112, whole.size() - 12).stream()
                .map(p -> new Payment(p.settledMs(), p.rate(), p.basis(), null, T - 2 * DAY_MS + 60_000))
                .toList());
        later.addAll(whole.subList(whole.size() - 12, whole.size()));
        assertEquals(
                Coverage.HISTORY_CAPPED,
                leg(random.contract("bitmart", 4), later).coverage().reason());
    }

    // Eligibility.

    @Test
    void onlyEqualThingsAreCompared() {
        var random = new RandomLedgers(5);
        List<Payment> payments = random.constant(8, 0);
        Contract linear = random.contract("okx", 8);
        Contract sameVenue = new Contract(
                new io.fundingobservatory.topics.ContractKey("okx", "BTC-2"),
                0,
                Long.MIN_VALUE,
                "BTC",
                ContractType.LINEAR,
                null,
                linear.coinPrice());
        Contract inverse = with(random.contract("bybit", 8), ContractType.INVERSE, linear.coinPrice());
        Contract quanto = with(random.contract("gate", 8), ContractType.QUANTO, linear.coinPrice());
        Contract dearer = with(
                random.contract("mexc", 8),
                ContractType.LINEAR,
                linear.coinPrice().multiply(new BigDecimal("1.0501")));
        Contract priceless = with(random.contract("xt", 8), ContractType.LINEAR, null);
        var ledgers = new LinkedHashMap<Contract, Ledger>();
        for (Contract contract : List.of(linear, sameVenue, inverse, quanto, dearer, priceless)) {
            ledgers.put(contract, ledger(payments));
        }
        CarryTable table = table(ledgers);
        assertEquals(List.of(), table.pairs());
        assertEquals(5, table.refused().size());
        assertEquals(
                2,
                table.refused().stream()
                        .filter(r -> r.reason().equals("price_differs"))
                        .count());
    }

    private static Contract with(Contract c, ContractType type, BigDecimal price) {
        return new Contract(c.key(), 0, Long.MIN_VALUE, c.asset(), type, c.currentIntervalH(), price);
    }

    /** A contract that is no longer read keeps its last price: that refuses nothing, its pairs are incomplete instead. */
    @Test
    void theLastPriceOfADelistedContractRefusesNoPair() {
        var random = new RandomLedgers(6);
        var contracts = new AssetContracts("BTC");
        Contract read = random.contract("okx", 8);
        Contract delisted = with(random.contract("bybit", 8), ContractType.LINEAR, new BigDecimal(30_000));
        contracts.list(read, T + 600_000);
        contracts.list(delisted, T + 600_000);
        List<Payment> payments = random.constant(8, 0);
        List<Payment> ended =
                payments.stream().filter(p -> p.settledMs() < T - 2 * DAY_MS).toList();
        Map<Contract, Ledger> ledgers = Map.of(read, ledger(payments), delisted, ledger(ended));
        assertEquals(
                1, contracts.tabulate(WINDOW, ledgers::get).table().refused().size());
        contracts.list(delisted, T - 2 * DAY_MS);
        CarryTable table = contracts.tabulate(WINDOW, ledgers::get).table();
        assertEquals(List.of(), table.refused());
        assertEquals("gap", table.pairs().getFirst().reason());
        assertEquals(0, table.pairs().getFirst().days());
    }

    @Test
    void aPriceConcernsTheTableOnlyWhereItRefusesAPair() {
        var random = new RandomLedgers(6);
        var contracts = new AssetContracts("BTC");
        Contract okx = with(random.contract("okx", 8), ContractType.LINEAR, new BigDecimal(60_000));
        Contract bybit = with(random.contract("bybit", 8), ContractType.LINEAR, new BigDecimal(60_100));
        assertTrue(contracts.list(okx, T));
        assertTrue(contracts.list(bybit, T));
        assertFalse(contracts.list(okx.priced(new BigDecimal(61_000)), T));
        assertTrue(contracts.list(okx.priced(new BigDecimal(70_000)), T));
        assertTrue(contracts.list(okx.priced(new BigDecimal(71_000)), T), "it stands in the refusal");
        assertTrue(contracts.list(okx.priced(new BigDecimal(60_000)), T));
        assertTrue(contracts.list(okx.priced(null), T), "unknown");
        assertFalse(contracts.list(okx.priced(null), T + 1), "a sign of life");
    }

    @Test
    void aWindowEndsOnTheLastHourThatIsTenMinutesOld() {
        assertEquals(new Window(T), Window.at(T + 10 * 60_000));
        assertEquals(new Window(T - HOUR_MS), Window.at(T + 10 * 60_000 - 1));
        assertEquals(new Window(T), Window.at(T + HOUR_MS + 10 * 60_000 - 1));
    }
}
