package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.streams.topology.SimulatedMarket.DAY;
import static io.fundingobservatory.streams.topology.SimulatedMarket.HOUR;
import static io.fundingobservatory.streams.topology.SimulatedMarket.START;

import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;

/** Five weeks in which each exchange does something else that a ledger has to get right. */
final class EventfulMarket {
    private EventfulMarket() {}

    static SimulatedMarket run(long seed) {
        var market = new SimulatedMarket(seed);
        market.add("binance", 8).history = true;
        var glitching = market.add("okx", 8);
        glitching.glitch =
                new long[] {START + 7 * DAY + 14 * HOUR + HOUR / 3, START + 7 * DAY + 14 * HOUR + 2 * HOUR / 3};
        var changing = market.add("bybit", 8);
        changing.history = true;
        changing.intervals.put(START + 9 * DAY, 4);
        changing.intervals.put(START + 12 * DAY, 1);
        changing.intervals.put(START + 25 * DAY + 3 * HOUR, 4); // from then on at 3, 7, 11 …
        changing.lateStamps = true;
        var lossy = market.add("weex", 8);
        lossy.history = true;
        lossy.wordless = true;
        lossy.intervals.put(START - 20 * DAY, 4);
        lossy.intervals.put(START + 6 * DAY, 8);
        lossy.lost.add(START - 20 * DAY + 4 * HOUR);
        lossy.lost.add(START + 6 * DAY);
        market.add("hyperliquid", 1).announces = false;
        var continuous = market.add("deribit", 1);
        continuous.kind = RateKind.CONTINUOUS;
        continuous.announces = false;
        var lastSettled = market.add("mexc", 4);
        lastSettled.kind = RateKind.LAST_SETTLED;
        lastSettled.history = true;
        var gapped = market.add("gate", 4);
        gapped.silences.add(new long[] {START + 15 * DAY + 3 * HOUR, START + 16 * DAY + 5 * HOUR});
        var relisted = market.add("kucoin", 8);
        relisted.silences.add(new long[] {START + 10 * DAY + HOUR, START + 18 * DAY + 9 * HOUR});
        market.add("kucoin", "other", 8).base = "SOL";
        var sloppy = market.add("bitget", 8);
        sloppy.sloppy = true;
        var stopped = market.add("htx", 1);
        stopped.silences.add(new long[] {START + 33 * DAY + HOUR / 4, Long.MAX_VALUE});
        var young = market.add("aster", 4);
        young.listedMs = START + 20 * DAY;
        young.history = true;
        var other = market.add("bingx", 8);
        other.price = "66000";
        var inverse = market.add("kraken", 8);
        inverse.type = ContractType.INVERSE;
        inverse.history = true;
        var renamed = market.add("xt", 8);
        renamed.base = "ETH";
        renamed.renamed = "BTC";
        renamed.renamedMs = START + 14 * DAY + 3 * HOUR;
        market.plans.forEach(plan -> {
            if (plan.base.equals("ETH")) {
                plan.history = true;
            }
        });
        return market.run();
    }
}
