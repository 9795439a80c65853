package io.fundingobservatory.streams.carry;

import static io.fundingobservatory.streams.carry.RandomLedgers.HOUR_MS;
import static io.fundingobservatory.streams.carry.RandomLedgers.T;
import static io.fundingobservatory.streams.carry.RandomLedgers.WINDOW;
import static io.fundingobservatory.streams.carry.RandomLedgers.ledger;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of the 30-day difference over seeded random ledgers, and a plain second computation of every figure. */
class CarryInvariantsTest {
    private static final int SEEDS = 200;

    private static CarryTable table(Map<Contract, Ledger> ledgers) {
        return PairTable.of("BTC", ledgers, WINDOW);
    }

    private static BigDecimal sum(Iterable<Payment> payments) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Payment p : payments) {
            if (p.settledMs() > T - 720 * HOUR_MS && p.settledMs() <= T) {
                sum = sum.add(p.rate());
            }
        }
        return sum;
    }

    private static void assertSame(BigDecimal expected, BigDecimal actual) {
        assertTrue(expected.compareTo(actual) == 0, expected + " is not " + actual);
    }

    @Test
    void theDifferenceIsShortLessLongExactly() throws NoSuchAlgorithmException {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> a = random.changing();
            List<Payment> b = random.constant(random.interval(), 0);
            Contract ca = random.contract("aster", hours(a));
            Contract cb = random.contract("binance", hours(b));
            CarryPair pair = table(Map.of(cb, ledger(b), ca, ledger(a))).pairs().getFirst();
            boolean aCovers = a.getLast().settledMs() + hours(a) * HOUR_MS > T;
            assertEquals(aCovers, pair.complete());
            if (!aCovers) {
                continue;
            }
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
    }

    private static int hours(List<Payment> payments) {
        return payments.getLast().intervalH().intValueExact();
    }

    private static String receipt(Contract ca, List<Payment> a, Contract cb, List<Payment> b)
            throws NoSuchAlgorithmException {
        var text = new StringBuilder();
        for (var leg : List.of(Map.entry(ca, a), Map.entry(cb, b))) {
            for (Payment p : leg.getValue()) {
                if (p.settledMs() > T - 720 * HOUR_MS && p.settledMs() <= T) {
                    String rate = p.rate().signum() == 0
                            ? "0"
                            : p.rate().stripTrailingZeros().toPlainString();
                    text.append(leg.getKey().key().venue() + "|"
                            + leg.getKey().key().symbol() + "|0|" + p.settledMs() + "|" + rate + "|settled\n");
                }
            }
        }
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 24})
    void aConstantIntervalGives720OverHInEveryPhase(int intervalH) {
        var random = new RandomLedgers(intervalH);
        for (int phase = 0; phase < intervalH; phase++) {
            Ledger ledger = ledger(random.constant(intervalH, phase));
            assertEquals(
                    720 / intervalH,
                    ledger.payments(WINDOW.startMs(), WINDOW.endMs()).size());
            Coverage coverage = Coverage.of(ledger, WINDOW, intervalH * HOUR_MS);
            assertEquals(new Coverage(30, List.of(), null), coverage);
        }
    }

    @Test
    void inAtTAndOutAtTheStart() {
        var random = new RandomLedgers(1);
        Ledger ledger = ledger(List.of(
                random.payment(T, 8),
                random.payment(T + 1, 8),
                random.payment(T - 720 * HOUR_MS, 8),
                random.payment(T - 720 * HOUR_MS + 60_000, 8)));
        assertEquals(
                List.of(T - 720 * HOUR_MS + 60_000, T),
                ledger.payments(WINDOW.startMs(), WINDOW.endMs()).stream()
                        .map(Payment::settledMs)
                        .toList());
    }

    @Test
    void jitterAndDuplicatesChangeNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> exact = random.changing();
            var noisy = new ArrayList<Payment>();
            for (Payment p : exact) {
                for (int copy = 0; copy <= random.random.nextInt(3); copy++) {
                    long raw = p.settledMs() + random.random.nextInt(58_001) - 29_000;
                    noisy.add(new Payment(
                            Payment.onTheMinute(raw), p.rate(), p.basis(), p.intervalH(), p.observedAtMs()));
                }
            }
            assertEquals(ledger(exact), ledger(random.shuffled(noisy)));
        }
    }

    @Test
    void overIntervalChangesTheSumIsThatOfTheSettlementsAndOf8HourRatesByTheirHours() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            List<Payment> payments = random.changing();
            var leg = new Leg(random.contract("okx", hours(payments)), ledger(payments), WINDOW);
            BigDecimal by8h = BigDecimal.ZERO;
            for (Payment p : ledger(payments).payments(WINDOW.startMs(), WINDOW.endMs())) {
                BigDecimal rate8h = p.rate().multiply(BigDecimal.valueOf(8)).divide(p.intervalH());
                by8h = by8h.add(rate8h.multiply(p.intervalH()).divide(BigDecimal.valueOf(8)));
            }
            assertSame(sum(payments), leg.sum(30));
            assertSame(by8h, leg.sum(30));
        }
    }

    @Test
    void aRelistingRestarts() {
        var random = new RandomLedgers(3);
        var payments = random.constant(8, 0);
        payments.removeIf(p -> p.settledMs() > T - 20 * 24 * HOUR_MS && p.settledMs() <= T - 10 * 24 * HOUR_MS);
        Coverage coverage = Coverage.of(ledger(payments), WINDOW, 8 * HOUR_MS);
        assertEquals(10, coverage.days());
        assertEquals(Coverage.RELISTED, coverage.reason());
    }

    @Test
    void swappedLegsAreOppositeAndDifferencesAddUp() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            var ledgers = new LinkedHashMap<Contract, Ledger>();
            var sums = new LinkedHashMap<String, BigDecimal>();
            for (String venue : List.of("aster", "bybit", "okx")) {
                List<Payment> payments = random.constant(random.interval(), 0);
                ledgers.put(random.contract(venue, hours(payments)), ledger(payments));
                sums.put(venue, sum(payments));
            }
            CarryTable table = table(ledgers);
            assertEquals(3, table.pairs().size());
            for (CarryPair pair : table.pairs()) {
                BigDecimal expected = sums.get(pair.shortLeg().venue())
                        .subtract(sums.get(pair.longLeg().venue()));
                assertTrue(expected.signum() >= 0);
                assertSame(expected, pair.fundingDifference());
            }
        }
    }

    @Test
    void incrementalEqualsRecomputedAndOrderChangesNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
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
            }
            Ledger inOrder = ledger(said);
            Ledger shuffled = ledger(random.shuffled(said));
            assertEquals(inOrder, shuffled);
            inOrder.forgetBefore(WINDOW.startMs());
            Ledger late = new Ledger();
            random.shuffled(said).stream()
                    .filter(p -> p.settledMs() >= WINDOW.startMs())
                    .forEach(late::add);
            assertEquals(late, inOrder);
        }
    }

    @Test
    void anyOneMissingSettlementIsNeverASmallerNumberInACompleteRow() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new RandomLedgers(seed);
            int intervalH = random.interval();
            List<Payment> whole = random.constant(intervalH, 0);
            boolean known = random.random.nextBoolean();
            if (!known) {
                whole.replaceAll(p -> new Payment(p.settledMs(), p.rate(), p.basis(), null, p.observedAtMs()));
            }
            var inWindow =
                    whole.stream().filter(p -> p.settledMs() > WINDOW.startMs()).toList();
            Payment lost = inWindow.get(random.random.nextInt(inWindow.size()));
            var holed = new ArrayList<>(whole);
            holed.remove(lost);
            List<Payment> other = random.constant(8, 0);
            CarryPair pair = table(Map.of(
                            random.contract("aster", intervalH),
                            ledger(holed),
                            random.contract("okx", 8),
                            ledger(other)))
                    .pairs()
                    .getFirst();
            assertFalse(pair.complete());
            assertTrue(pair.days() < 30);
            assertNotNull(pair.reason());
            var leg = new Leg(random.contract("aster", intervalH), ledger(holed), WINDOW);
            assertEquals(List.of(lost.settledMs()), leg.coverage().missing());
            assertEquals(inWindow.size(), leg.over(0).expected());
            assertEquals(inWindow.size() - 1, leg.over(0).settlements());
        }
    }

    @Test
    void anAnnouncedSettlementThatWasNeverSeenIsMissing() {
        var random = new RandomLedgers(9);
        Ledger ledger = ledger(random.constant(8, 0));
        ledger.expect(T - 25 * HOUR_MS);
        assertEquals(
                List.of(T - 25 * HOUR_MS),
                Coverage.of(ledger, WINDOW, 8 * HOUR_MS).missing());
        assertEquals(1, Coverage.of(ledger, WINDOW, 8 * HOUR_MS).days());
    }

    @Test
    void reasonsTellApartWhatIsMissing() {
        var random = new RandomLedgers(4);
        List<Payment> whole = random.constant(4, 0);
        assertEquals(
                Coverage.SERVICE_STARTED,
                Coverage.of(new Ledger(), WINDOW, null).reason());
        assertEquals(
                Coverage.SETTLEMENT_PENDING,
                Coverage.of(ledger(whole.subList(0, whole.size() - 1)), WINDOW, 4 * HOUR_MS)
                        .reason());
        assertEquals(
                Coverage.GAP,
                Coverage.of(ledger(whole.subList(0, whole.size() - 2)), WINDOW, 4 * HOUR_MS)
                        .reason());
        List<Payment> young = whole.subList(whole.size() - 60, whole.size());
        assertEquals(
                new Coverage(10, List.of(), Coverage.LISTED_IN_WINDOW),
                Coverage.of(ledger(young), WINDOW, 4 * HOUR_MS));
        var estimated = young.stream()
                .map(p -> new Payment(p.settledMs(), p.rate(), Basis.ESTIMATE, p.intervalH(), p.observedAtMs()))
                .toList();
        assertEquals(
                Coverage.SERVICE_STARTED,
                Coverage.of(ledger(estimated), WINDOW, 4 * HOUR_MS).reason());
    }

    @Test
    void onlyEqualThingsAreCompared() {
        var random = new RandomLedgers(5);
        List<Payment> payments = random.constant(8, 0);
        Contract linear = random.contract("okx", 8);
        Contract sameVenue = new Contract(
                new io.fundingobservatory.topics.ContractKey("okx", "BTC-2"),
                0,
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
        return new Contract(c.key(), 0, c.asset(), type, c.currentIntervalH(), price);
    }

    @Test
    void aWindowEndsOnTheLastHourThatIsTenMinutesOld() {
        assertEquals(new Window(T), Window.at(T + 10 * 60_000));
        assertEquals(new Window(T - HOUR_MS), Window.at(T + 10 * 60_000 - 1));
        assertEquals(new Window(T), Window.at(T + HOUR_MS + 10 * 60_000 - 1));
    }
}
