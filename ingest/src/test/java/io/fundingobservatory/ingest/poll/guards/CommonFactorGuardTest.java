package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.poll.guards.DisagreeingVenues.Exchange;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A venue whose rates are off by a factor of 7 or more is quarantined at once and not for ever. One that
 * markets can explain is published. {@code -Dobservatory.guards.days=1000} tries so many days of correct
 * markets.
 */
class CommonFactorGuardTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = 60_000;
    private static final double[] FACTORS = {
        8, 24, 100, 1000, 8760, 1 / 8.0, 1 / 24.0, 1 / 100.0, 1 / 1000.0, 1 / 8760.0
    };

    private static final double[] MOODS = {1, 5, 0.3, -3};

    /** A process that polls a market's exchanges once a minute, one after the other. */
    private static final class Process {
        final DisagreeingVenues market;
        final Guards guards = new Guards();
        final Map<String, VenueGuards> venues = new HashMap<>();

        Process(long seed, double mood) {
            market = new DisagreeingVenues(seed, mood);
            market.exchanges().forEach(e -> venues.put(e.id, guards.of(e.id)));
        }

        GuardDecision poll(Exchange exchange, int minute, double factor) {
            Map<String, Double> rates = market.rates(exchange, minute);
            if (factor != 1) {
                rates.replaceAll((asset, rate) -> rate * factor);
            }
            return venues.get(exchange.id).compare(rates, NOW + minute * MINUTE);
        }
    }

    @Test
    void rightRatesAreNeverQuarantined() {
        int days = Integer.getInteger("observatory.guards.days", 4);
        var counts = new ConcurrentSkipListMap<String, Integer>();
        // Day 120: drift beyond 7 that lasts longer than four hours. Day 163: rates that stand between
        // settlements meet a crash. Day 679: a crash within minutes. Day 977: 8.8 times the others' at the
        // start, at 3.75 times the market.
        IntStream.concat(IntStream.range(0, days), IntStream.of(120, 163, 679, 977))
                .distinct()
                .parallel()
                .forEach(seed ->
                        dayWithoutFault(seed).forEach((what, polls) -> counts.merge(what, polls, Integer::sum)));
        System.out.println("polls of days without a fault: " + counts);
        assertNull(counts.get(Action.HELD.name()), "polls quarantined without a fault");
        // that the markets do disagree, and by more than 2
        assertTrue(counts.get(Action.WARNED.name()) > 1_000 * days, counts::toString);
    }

    /** How often each decision was made. */
    private static Map<String, Integer> dayWithoutFault(int seed) {
        var counts = new HashMap<String, Integer>();
        var process = new Process(seed, MOODS[seed % MOODS.length]);
        for (int minute = 0; minute < DisagreeingVenues.MINUTES; minute++) {
            process.market.step(minute);
            for (Exchange exchange : process.market.exchanges()) {
                if (!exchange.isAway(minute)) {
                    GuardDecision decision = process.poll(exchange, minute, 1);
                    counts.merge(decision == null ? "silent" : decision.action().name(), 1, Integer::sum);
                    if (decision != null && decision.action() == Action.HELD) {
                        System.out.println("seed " + seed + " minute " + minute + " " + exchange.id + " "
                                + exchange.factor() + ": " + decision.reason());
                    }
                }
            }
        }
        return counts;
    }

    @Test
    void quarantinesOnlyWhileFactorLasts() {
        int tried = 0;
        for (int seed = 0; seed < 60; seed++) {
            var process = new Process(10_000 + seed, 5);
            int at = 15 + new Random(seed).nextInt(60);
            var guilty = new HashMap<String, Double>();
            for (int minute = 0; minute <= at + 6; minute++) {
                process.market.step(minute);
                for (Exchange exchange : process.market.exchanges()) {
                    if (minute == at
                            && guilty.isEmpty()
                            && neverAway(exchange, at)
                            && isOrdinary(process.market, exchange, minute)) {
                        guilty.put(exchange.id, FACTORS[seed % FACTORS.length]);
                        tried++;
                    }
                    double factor = minute < at || minute > at + 5 ? 1 : guilty.getOrDefault(exchange.id, 1.0);
                    if (exchange.isAway(minute)) {
                        continue;
                    }
                    GuardDecision decision = process.poll(exchange, minute, factor);
                    String poll =
                            "seed " + seed + ", " + factor + " times in minute " + (minute - at) + ": " + decision;
                    if (factor != 1) {
                        assertNotNull(decision, poll);
                        assertEquals(Action.HELD, decision.action(), poll);
                    } else if (minute == at + 6 && guilty.containsKey(exchange.id)) {
                        assertNotNull(decision, poll);
                        assertEquals(Action.RELEASED, decision.action(), poll);
                    } else if (decision != null) {
                        assertNotEquals(Action.HELD, decision.action(), poll);
                    }
                }
            }
        }
        assertTrue(tried >= 25, tried + " were tried");
        System.out.println("guilty exchanges, each found at once: " + tried);
    }

    /** Whether it stands among the others, and 30 of its symbols can be compared. */
    private static boolean isOrdinary(DisagreeingVenues market, Exchange exchange, int minute) {
        DisagreeingVenues.Standing standing = market.standing(exchange, minute);
        return exchange.isFree()
                && standing.clear() >= 30
                && standing.clear() >= 0.75 * exchange.assets.length
                && Math.abs(Math.log(standing.times())) < Math.log(2);
    }

    private static boolean neverAway(Exchange exchange, int at) {
        for (int minute = at - 12; minute <= at + 6; minute++) {
            if (exchange.isAway(minute)) {
                return false;
            }
        }
        return true;
    }

    /** Wrong from the first poll on, so that there are only the others to compare with. */
    @Test
    void detectsInitialFactorByItsSecondPoll() {
        int tried = 0;
        for (int seed = 0; seed < 100; seed++) {
            var process = new Process(20_000 + seed, 5);
            double factor = FACTORS[seed % FACTORS.length];
            // eight alone can be told from seven only where the exchange itself does not stand below the others
            double least = Math.abs(Math.log(factor)) < Math.log(10) ? 0.2 : -Math.log(2);
            Exchange guilty = null;
            GuardDecision last = null;
            for (int minute = 0; minute < 2; minute++) {
                process.market.step(minute);
                for (Exchange exchange : process.market.exchanges()) {
                    if (guilty == null
                            && !exchange.isAway(0)
                            && !exchange.isAway(1)
                            && isOrdinary(process.market, exchange, minute)
                            && Math.log(process.market
                                                    .standing(exchange, minute)
                                                    .times())
                                            * Math.signum(Math.log(factor))
                                    >= least) {
                        guilty = exchange;
                    }
                    if (!exchange.isAway(minute)) {
                        GuardDecision decision = process.poll(exchange, minute, exchange == guilty ? factor : 1);
                        last = exchange == guilty ? decision : last;
                    }
                }
            }
            if (guilty != null) {
                tried++;
                assertNotNull(last, "seed " + seed + ", " + factor + " times at " + guilty.factor());
                assertEquals(Action.HELD, last.action(), last.reason());
            }
        }
        assertTrue(tried >= 25, tried + " were tried");
    }

    // --- one exchange among seven that agree

    private static Map<String, Double> rates(long seed, double times, int symbols) {
        var market = new Random(77);
        var own = new Random(seed);
        var rates = new HashMap<String, Double>();
        for (int i = 0; i < symbols; i++) {
            double sign = market.nextInt(4) == 0 ? -1 : 1;
            double rate = sign * (5e-5 + 4e-4 * market.nextDouble()) * Math.exp(0.2 * own.nextGaussian());
            rates.put("A" + i, rate * times);
        }
        return rates;
    }

    private final Guards guards = new Guards("trusted");

    private void others(long atMs) {
        for (int i = 0; i < 7; i++) {
            guards.published("other" + i, rates(i, 1, 60), atMs);
        }
    }

    private static Action action(GuardDecision decision) {
        return decision == null ? null : decision.action();
    }

    @Test
    void publishesThreeTimesTheOthersWithWarning() {
        others(NOW);
        for (double factor : new double[] {2.3, 3, 4, 6, 1 / 3.0, 1 / 6.0}) {
            GuardDecision decision = new VenueGuards("hyperliquid", guards, false).compare(rates(9, factor, 60), NOW);
            assertEquals(Action.WARNED, action(decision), factor + " times");
            assertTrue(decision.reason().contains("the others' on most of 60 symbols"), decision.reason());
        }
        assertNull(new VenueGuards("hyperliquid", guards, false).compare(rates(9, 1.3, 60), NOW));
    }

    @Test
    void publishesQuarantinedVenueAfterThirtyMinutes() {
        VenueGuards venue = guards.of("binance");
        others(NOW);
        assertNull(venue.compare(rates(9, 1, 60), NOW));
        for (int minute = 1; minute <= 30; minute++) {
            others(NOW + minute * MINUTE);
            assertEquals(Action.HELD, action(venue.compare(rates(9, 8, 60), NOW + minute * MINUTE)), "" + minute);
        }
        others(NOW + 31 * MINUTE);
        GuardDecision released = venue.compare(rates(9, 8, 60), NOW + 31 * MINUTE);
        assertEquals(Action.RELEASED, action(released));
        assertTrue(released.reason().contains("30 minutes"), released.reason());
        for (int minute = 32; minute < 60; minute++) {
            others(NOW + minute * MINUTE);
            assertNotEquals(Action.HELD, action(venue.compare(rates(9, 8, 60), NOW + minute * MINUTE)));
        }
        // and when it goes back to where it was, that is no new jump, though there be no others
        assertNotEquals(Action.HELD, action(venue.compare(rates(9, 1, 60), NOW + 75 * MINUTE)));
    }

    @Test
    void publishesQuarantinedVenueWithoutComparison() {
        VenueGuards venue = guards.of("binance");
        assertNull(venue.compare(rates(9, 1, 60), NOW));
        assertEquals(Action.HELD, action(venue.compare(rates(9, 100, 60), NOW + MINUTE)));
        assertEquals(Action.RELEASED, action(venue.compare(rates(9, 100, 15), NOW + 2 * MINUTE)));
    }

    /** Four majors, away for nine minutes of a crash, back with three times the rates, then with other signs. */
    @Test
    void aSmallExchangeIsNeverLockedOut() {
        VenueGuards venue = guards.of("gemini");
        assertNull(venue.compare(rates(9, 1, 4), NOW));
        for (int minute = 9; minute < 24 * 60; minute += 3) {
            double times = minute < 30 ? 3 : minute < 360 ? -2 : 1;
            assertNull(venue.compare(rates(9, times, 4), NOW + minute * MINUTE), "minute " + minute);
        }
    }

    @Test
    void publishesTrustedVenueWithWarning() {
        VenueGuards venue = guards.of("trusted");
        others(NOW);
        assertNull(venue.compare(rates(9, 1, 60), NOW));
        GuardDecision decision = venue.compare(rates(9, 1000, 60), NOW + MINUTE);
        assertEquals(Action.OVERRULED, action(decision));
        assertTrue(decision.reason().contains("1000 times"), decision.reason());
    }

    @Test
    void detectsOwnJumpWithoutOtherVenues() {
        for (double factor : FACTORS) {
            VenueGuards venue = new Guards().of("binance");
            assertNull(venue.compare(rates(9, 1, 40), NOW));
            assertEquals(Action.HELD, action(venue.compare(rates(9, factor, 40), NOW + MINUTE)), "" + factor);
            assertEquals(Action.RELEASED, action(venue.compare(rates(9, 1, 40), NOW + 2 * MINUTE)), "" + factor);
        }
    }

    @Test
    void detectsChangeSpreadOverSeveralPolls() {
        VenueGuards venue = guards.of("binance");
        Map<String, Double> before = rates(9, 1, 60);
        others(NOW);
        assertNull(venue.compare(before, NOW));
        Action last = null;
        for (int minute = 1; minute <= 4; minute++) {
            others(NOW + minute * MINUTE);
            var now = new HashMap<>(before);
            int changed = 15 * minute;
            now.replaceAll((asset, rate) -> Integer.parseInt(asset.substring(1)) < changed ? rate * 8 : rate);
            last = action(venue.compare(now, NOW + minute * MINUTE));
        }
        assertEquals(Action.HELD, last);
    }

    @Test
    void ratesAtAFloorAreNotCompared() {
        var random = new Random(1);
        List<Map<String, Double>> all = new ArrayList<>();
        for (int venue = 0; venue < 12; venue++) {
            var rates = new HashMap<String, Double>();
            for (int asset = 0; asset < 200; asset++) {
                // most at the usual interest, the rest scattered below it
                rates.put("A" + asset, random.nextInt(10) < 6 ? 0.0001 : 0.00002 + 0.00003 * random.nextDouble());
            }
            all.add(rates);
        }
        for (double floor : new double[] {0.0001, 0.00005, 0.0003, 0.0008, 0.0000125, 0.01}) {
            var own = new HashMap<String, Double>();
            all.getFirst().keySet().forEach(asset -> own.put(asset, floor));
            assertNull(CommonFactor.toOthers(own, all), "all at " + floor);
        }
    }
}
