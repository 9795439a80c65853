package io.fundingobservatory.standalone;

import picocli.CommandLine.Option;

/** Which simulated market it is: the same seed makes the same contracts, rates and settlements. */
final class SeedOption {
    @Option(names = "--seed", paramLabel = "N", description = "The simulated market's seed. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    long seed() {
        return seed;
    }
}
