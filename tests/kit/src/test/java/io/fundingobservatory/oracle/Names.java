package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The asset of each contract, as its maker defined it; not derived from any spelling. */
@FunctionalInterface
public interface Names {
    /** The asset of a contract and the coins that one priced unit is; null for a contract that was never made up. */
    @Nullable
    Asset of(String venue, String symbol);

    record Asset(String name, BigDecimal priceScale) {}

    /** As the simulated exchange that lists a contract knows it. */
    static Names of(SimulatedMarket market) {
        var assets = new HashMap<String, Asset>();
        for (Wire wire : Wires.all()) {
            for (SimulatedContract contract :
                    market.at(wire.venue(), System.currentTimeMillis()).listings()) {
                if (contract.isLive()) {
                    assets.put(
                            wire.venue() + "|" + wire.symbol(contract),
                            new Asset(contract.asset(), BigDecimal.valueOf(contract.priceScale())));
                }
            }
        }
        return (venue, symbol) -> assets.get(venue + "|" + symbol);
    }

    /** As {@code rates.normalised} has it up to its present end; the model then judges everything else of a row. */
    static Names publishedAt(String brokers) {
        var assets = new HashMap<String, Asset>();
        try (var rows = RatesReader.consumer(brokers, Topics.RATES_NORMALISED.name(), "read_committed")) {
            new TopicReader<>(rows).toEnd(record -> {
                Map<String, @Nullable Object> row = Json.object(record.value());
                if (row.get("asset") instanceof String asset && row.get("price_scale") instanceof BigDecimal scale) {
                    assets.put(new String(record.key(), UTF_8), new Asset(asset, scale));
                }
            });
        }
        return (venue, symbol) -> assets.get(venue + "|" + symbol);
    }
}
