package io.fundingobservatory.testbed.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.sim.SimulatedContract.Dividend;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimulatedMarketTest {
    private static final long NOW = Instant.parse("2026-11-20T10:37:42Z").toEpochMilli();
    private static final long HOUR = 3_600_000;
    private static final Traits TRAITS =
            Traits.usual(300).types(ContractType.LINEAR, ContractType.INVERSE).quotes("USDT", "USDC");

    private final SimulatedMarket market = market(1);

    @Test
    void seedDeterminesMarket() {
        assertEquals(rates(market, NOW), rates(market(1), NOW));
        assertNotEquals(rates(market, NOW), rates(market(2), NOW));
        assertNotEquals(rates(market, NOW), rates(market, NOW + 60_000));
    }

    @Test
    void hasEveryKindOfContract() {
        List<SimulatedContract> listings = market.at("one", NOW).listings();
        assertEquals(300, listings.size());
        assertEquals(Set.of(State.values()), states(listings));
        assertEquals(
                Set.of(1, 4, 8),
                listings.stream().map(SimulatedContract::intervalH).collect(Collectors.toSet()));
        assertEquals(
                Set.of(1, 1_000),
                listings.stream().map(SimulatedContract::priceScale).collect(Collectors.toSet()));
        assertEquals(
                Set.of("USDT", "USDC", "USD"),
                listings.stream().map(SimulatedContract::quote).collect(Collectors.toSet()));
        assertTrue(listings.stream().anyMatch(l -> l.rate().signum() < 0), "a negative rate");
        assertTrue(
                listings.stream().anyMatch(l -> l.markPrice() == null || l.indexPrice() == null),
                "a price that is not shown");
        assertTrue(listings.stream().filter(SimulatedContract::isLive).count() > 250);
        listings.forEach(l -> assertTrue(l.rate().scale() <= 8, l::toString));
    }

    @Test
    void theRunningEstimateBecomesTheSettledRate() {
        for (SimulatedContract before : market.at("one", NOW).listings()) {
            long settlement = before.nextFundingMs();
            SimulatedContract justBefore = same(before, settlement - 1);
            SimulatedContract after = same(before, settlement);
            assertEquals(settlement, after.lastFundingMs());
            assertEquals(0, after.lastSettledRate().compareTo(justBefore.rate()), () -> before + " then " + after);
            assertEquals(
                    new Settled(settlement, after.lastSettledRate(), before.intervalH()),
                    after.settled().getLast());
        }
    }

    /** Its facts: …17, 18, 19, 20 UTC carry one number, which is the current rate of those hours. */
    @Test
    void cryptocomChargesOneRateForFourHours() {
        var blocks = new HashSet<BigDecimal>();
        for (SimulatedContract now :
                new SimulatedMarket(1, Wires.all()).at("cryptocom", NOW).listings()) {
            for (Settled settled : now.settled()) {
                long blockMs = 4 * HOUR;
                long endMs = Math.ceilDiv(settled.settledMs(), blockMs) * blockMs;
                BigDecimal last = now.settledBetween(endMs - 1, endMs).stream()
                        .map(Settled::rate)
                        .findFirst()
                        .orElse(now.rate());
                assertEquals(0, last.compareTo(settled.rate()), settled::toString);
                blocks.add(settled.rate());
            }
        }
        assertTrue(blocks.size() > 1_000, "different rates: " + blocks.size());
    }

    @Test
    void historyIsGaplessAndNeverRewritten() {
        boolean changed = false;
        for (SimulatedContract now : market.at("one", NOW).listings()) {
            List<Settled> history = now.settled();
            for (int i = 1; i < history.size(); i++) {
                assertEquals(
                        history.get(i).intervalH() * HOUR,
                        history.get(i).settledMs() - history.get(i - 1).settledMs());
                changed |= history.get(i).intervalH() != history.get(i - 1).intervalH();
            }
            assertEquals(33, Math.round((NOW - history.getFirst().settledMs()) / 24.0 / HOUR), now::toString);
            long weekAgo = NOW - Duration.ofDays(7).toMillis();
            SimulatedContract then = same(now, weekAgo);
            assertEquals(
                    then.settledBetween(weekAgo - 10 * 24 * HOUR, weekAgo),
                    now.settledBetween(weekAgo - 10 * 24 * HOUR, weekAgo));
        }
        assertTrue(changed, "some contract changes its interval");
    }

    @Test
    void pricesOfAnAssetAgreeBetweenExchanges() {
        Map<String, SimulatedContract> others = market.at("two", NOW).listings().stream()
                .filter(l -> l.state() != State.DATED && l.quote().equals("USDT") && l.markPrice() != null)
                .collect(Collectors.toMap(SimulatedContract::asset, Function.identity()));
        int compared = 0;
        for (SimulatedContract contract : market.at("one", NOW)
                .where(l -> l.state() != State.DATED && l.quote().equals("USDT"))) {
            SimulatedContract other = others.get(contract.asset());
            if (other != null && contract.markPrice() != null) {
                BigDecimal ratio = perCoin(contract).divide(perCoin(other), MathContext.DECIMAL64);
                assertTrue(
                        ratio.subtract(BigDecimal.ONE).abs().compareTo(new BigDecimal("0.003")) < 0,
                        () -> contract + " / " + other);
                compared++;
            }
        }
        assertTrue(compared > 150, "assets in common: " + compared);
    }

    @Test
    void dispersedVenuesHaveOwnLevelsAndScatteredContracts() {
        List<Wire> wires =
                IntStream.range(0, 24).mapToObj(i -> named("venue" + i)).toList();
        var agreeing = new SimulatedMarket(1, wires);
        var dispersed = new SimulatedMarket(1, wires, Dispersion.USUAL);
        var levels = new ArrayList<Double>();
        for (Wire wire : wires) {
            List<Double> ratios = ratios(agreeing.at(wire.venue(), NOW), dispersed.at(wire.venue(), NOW));
            assertTrue(ratios.size() > 150, "rates to compare: " + ratios.size());
            levels.add(ratios.get(ratios.size() / 2));
            double scatter = ratios.get(ratios.size() * 9 / 10) / ratios.get(ratios.size() / 10);
            assertTrue(
                    scatter > 1.3 && scatter < 2.6, "within " + wire.venue() + " ninth tenth over first: " + scatter);
        }
        levels.sort(null);
        assertTrue(levels.getFirst() < 0.6 && levels.getFirst() > 0.3, levels::toString);
        assertTrue(levels.getLast() > 1.7 && levels.getLast() < 3.1, levels::toString);
    }

    /** What each larger rate of a market has become in another, ascending. */
    private static List<Double> ratios(MarketSnapshot before, MarketSnapshot after) {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < before.listings().size(); i++) {
            double was = before.listings().get(i).lastSettledRate().doubleValue();
            double is = after.listings().get(i).lastSettledRate().doubleValue();
            if (Math.abs(was) > 2e-5 && Math.abs(is) < 0.02) {
                ratios.add(is / was);
            }
        }
        ratios.sort(null);
        return ratios;
    }

    @Test
    void sharesPayADividendOnceAQuarter() {
        List<SimulatedContract> shares = new SimulatedMarket(1, Wires.all())
                .at("binance", NOW)
                .where(l -> l.isShare() && l.quote().equals("USDT"));
        long month = 30 * 24 * HOUR;
        int booked = 0;
        for (SimulatedContract share : shares) {
            List<Dividend> dividends = share.dividendsBetween(NOW - month, NOW);
            assertTrue(dividends.size() <= 1, dividends::toString);
            dividends.forEach(d -> {
                assertEquals(0, d.bookedMs() % (24 * HOUR));
                assertTrue(
                        d.rate().compareTo(new BigDecimal("-0.000146")) <= 0
                                && d.rate().compareTo(new BigDecimal("-0.012365")) >= 0,
                        d::toString);
            });
            booked += dividends.size();
        }
        assertTrue(shares.size() > 100 && booked > shares.size() / 5, booked + " of " + shares.size());
    }

    @Test
    void announcesIntervalChangeOneDayAhead() {
        int announced = 0;
        for (int day = 0; day < 5; day++) {
            for (SimulatedContract now : market.at("one", NOW + day * 24 * HOUR).listings()) {
                if (now.announced() != null) {
                    announced++;
                    assertTrue(now.announced().intervalH() != now.intervalH());
                    SimulatedContract then = same(now, now.announced().fromMs());
                    assertEquals(now.announced().intervalH(), then.intervalH());
                }
            }
        }
        assertTrue(announced > 0, "changes announced in five days");
    }

    private SimulatedContract same(SimulatedContract contract, long atMs) {
        return market.at("one", atMs)
                .where(l -> l.asset().equals(contract.asset())
                        && l.quote().equals(contract.quote())
                        && l.type() == contract.type()
                        && l.state() == contract.state())
                .getFirst();
    }

    private static BigDecimal perCoin(SimulatedContract contract) {
        return contract.markPrice().divide(BigDecimal.valueOf(contract.priceScale()));
    }

    private static Set<State> states(List<SimulatedContract> listings) {
        return new HashSet<>(listings.stream().map(SimulatedContract::state).toList());
    }

    private static List<String> rates(SimulatedMarket market, long atMs) {
        return market.at("one", atMs).listings().stream()
                .map(l -> l.asset() + l.quote() + l.rate() + l.markPrice() + l.indexPrice() + l.settled())
                .toList();
    }

    private static SimulatedMarket market(long seed) {
        return new SimulatedMarket(seed, List.of(named("one"), named("two")));
    }

    private static Wire named(String venue) {
        return new Wire() {
            @Override
            public String venue() {
                return venue;
            }

            @Override
            public Traits traits() {
                return TRAITS;
            }

            @Override
            public String symbol(SimulatedContract contract) {
                return contract.asset();
            }

            @Override
            public @Nullable String response(SimulatedRequest request, MarketSnapshot moment) {
                return null;
            }

            @Override
            public Errors errors() {
                return Errors.byStatus("", "");
            }
        };
    }
}
