package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.testbed.sim.server.Realism;
import picocli.CommandLine.Option;

/** Which simulated market it is: the same seed makes the same contracts, rates and settlements. */
final class MarketOptions {
    @Option(names = "--seed", paramLabel = "N", description = "The simulated market's seed. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--contracts",
            paramLabel = "N",
            description = "How many contracts a simulated venue lists at most. Default: as many as the venue does.")
    private int contracts = Integer.MAX_VALUE;

    Market market() {
        if (contracts < 1) {
            throw new Stop("--contracts is at least 1, not " + contracts);
        }
        return new Market(seed, contracts);
    }

    /**
     * A simulated market.
     *
     * @param contracts how many contracts a venue lists at most
     */
    record Market(long seed, int contracts) {
        Realism like(Realism realism) {
            return realism.withContracts(contracts);
        }
    }
}
