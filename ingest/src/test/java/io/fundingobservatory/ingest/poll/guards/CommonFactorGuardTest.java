package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seven venues that agree within some percent, and one that is polled after them, minute by minute. */
class CommonFactorGuardTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = 60_000;

    private final CommonFactorGuard guard = new CommonFactorGuard();
    private int minute;

    /** Rates of 60 symbols, or fewer, times a factor; scattered by a few percent. */
    private RateSheet rates(String of, double factor, int symbols) {
        var market = new Random(77);
        var own = new Random(of.hashCode());
        Map<String, Double> rates = new HashMap<>();
        for (int i = 0; i < symbols; i++) {
            double sign = market.nextInt(4) == 0 ? -1 : 1;
            double rate = sign * (5e-5 + 4e-4 * market.nextDouble()) * Math.exp(0.05 * own.nextGaussian());
            rates.put("A" + i, rate * factor);
        }
        return new RateSheet(rates, NOW + minute * MINUTE);
    }

    private void others(double factor) {
        for (int i = 0; i < 7; i++) {
            guard.judge("other" + i, rates("other" + i, factor, 60), false);
        }
    }

    /** One more minute, in which the others have been polled. */
    private @Nullable Action next(double factor, int symbols) {
        minute++;
        others(1);
        return action(judged(factor, symbols));
    }

    private @Nullable GuardDecision judged(double factor, int symbols) {
        return guard.judge("binance", rates("binance", factor, symbols), false);
    }

    private static @Nullable Action action(@Nullable GuardDecision decision) {
        return decision == null ? null : decision.action();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1, -",
                "1.7, -",
                "2.4, WARNED",
                "6, WARNED",
                "8, HELD",
                "24, HELD",
                "8760, HELD",
                "0.2, WARNED",
                "0.125, HELD",
                "0.001, HELD"
            })
    void judgesByFactorToTheOthers(double factor, @Nullable Action expected) {
        assertEquals(expected, next(factor, 60));
    }

    @Test
    void quarantinesAsLongAsTheFactorLasts() {
        assertNull(next(1, 60));
        for (int i = 0; i < 300; i++) {
            assertEquals(Action.HELD, next(8, 60), "minute " + minute);
        }
        assertEquals(Action.RELEASED, next(1, 60));
        assertNull(next(1, 60));
    }

    @ParameterizedTest
    @ValueSource(doubles = {8, 1000, 1 / 8.0})
    void comparesWithItsLastPollWithoutOthers(double factor) {
        assertNull(judged(1, 40));
        for (minute = 1; minute < 60; minute++) {
            GuardDecision decision = judged(factor, 40);
            assertEquals(Action.HELD, action(decision), "minute " + minute);
            assertTrue(decision.reason().endsWith("its own of the last poll on most of 40 symbols"), decision.reason());
        }
        assertEquals(Action.RELEASED, action(judged(1, 40)));
    }

    /** Half of the others' rates before, four times theirs after: neither is beyond 7, the step is. */
    @Test
    void findsStepBetweenLevelsThatPass() {
        assertEquals(Action.WARNED, next(0.45, 60));
        assertEquals(Action.HELD, next(4, 60));
        assertEquals(Action.RELEASED, next(0.45, 60));
    }

    /** A venue that was wrong before there were others to compare it with. */
    @Test
    void publishesStepToTheLevelOfTheOthers() {
        assertNull(action(judged(8, 60)));
        assertEquals(Action.WARNED, next(1, 60));
        assertNull(next(1, 60));
    }

    @Test
    void marketThatMovesTogetherIsPublishedWithinMinutes() {
        assertNull(next(1, 60));
        for (int i = 0; i < 3; i++) {
            minute++;
            others(8);
            judged(8, 60);
        }
        assertNull(action(judged(8, 60)));
        assertNull(action(guard.judge("other0", rates("other0", 8, 60), false)));
    }

    @Test
    void releasesVenueThatCannotBeCompared() {
        assertNull(next(1, 60));
        assertEquals(Action.HELD, next(100, 60));
        minute++;
        GuardDecision decision = judged(100, 15);
        assertEquals(Action.RELEASED, action(decision));
        assertEquals("published again: too few of its symbols can be compared", decision.reason());
    }

    @Test
    void pollOfElevenMinutesAgoIsNoReference() {
        assertNull(judged(1, 40));
        minute = 11;
        assertNull(judged(8, 40));
    }

    @Test
    void settingPublishesTrustedVenue() {
        others(1);
        GuardDecision decision = guard.judge("trusted", rates("trusted", 1000, 60), true);
        assertEquals(Action.OVERRULED, action(decision));
        assertTrue(decision.reason().matches(".*its rates are (9|10)\\d\\d times the others' on most of 60 symbols"));
    }

    @Test
    void floorsAndRatesAboutZeroAreNotCompared() {
        var floor = new HashMap<String, Double>();
        var zero = new HashMap<String, Double>();
        Map<String, Double> market = rates("other", 1, 60).rates();
        market.keySet().forEach(asset -> floor.put(asset, 0.01));
        market.forEach((asset, rate) -> zero.put(asset, rate / 100));
        assertNull(new RateSheet(floor, NOW).times(new RateSheet(market, NOW)), "all at one rate");
        assertNull(new RateSheet(market, NOW).times(new RateSheet(zero, NOW)), "compared with rates about zero");
    }
}
