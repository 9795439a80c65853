package io.fundingobservatory.oracle;

import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What asset a contract is of, as the simulated exchange that lists it knows it. */
public final class SimulatedNames implements Names {
    private final Map<String, Asset> assets = new HashMap<>();

    public SimulatedNames(SimulatedMarket market) {
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
    }

    @Override
    public @Nullable Asset of(String venue, String symbol) {
        return assets.get(venue + "|" + symbol);
    }
}
