package io.fundingobservatory.testbed.sim.server;

import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Contracts that were just listed. They trade and have a rate, but the endpoint of settled rates refuses
 * their names for a while with the venue's own error.
 */
final class NewListings {
    private static final int ONE_OF = 60;

    /** How the exchanges call the address of the settled past of one contract. */
    private static final Pattern HISTORY =
            Pattern.compile("hist|funding[-_]?rates?$|/fundings?$|funding-rate-record|fundingratepage");

    private NewListings() {}

    static boolean rejects(Wire wire, SimulatedRequest request, MarketSnapshot market) {
        boolean history =
                HISTORY.matcher(request.path().toLowerCase(Locale.ROOT)).find()
                        || request.body().contains("History");
        if (!history) {
            return false;
        }
        for (SimulatedContract contract : market.listings()) {
            if (contract.isLive() && contract.oneOf(ONE_OF) == 0 && names(request, wire.symbol(contract))) {
                return true;
            }
        }
        return false;
    }

    private static boolean names(SimulatedRequest request, String symbol) {
        return request.query().containsValue(symbol)
                || request.path().contains("/" + symbol)
                || request.body().contains("\"" + symbol + "\"");
    }
}
