package io.fundingobservatory.testbed.sim;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Contracts that have just been listed: they trade and have a rate, and the address of settled rates refuses their names for a while,
 * with the exchange's own error.
 */
final class NewListings {
    private static final int ONE_OF = 60;

    /** How the exchanges call the address of the settled past of one contract. */
    private static final Pattern PAST =
            Pattern.compile("hist|funding[-_]?rates?$|/fundings?$|funding-rate-record|fundingratepage");

    private NewListings() {}

    static boolean refuses(Wire wire, Call call, Moment moment) {
        boolean past = PAST.matcher(call.path().toLowerCase(Locale.ROOT)).find()
                || call.body().contains("History");
        if (!past) {
            return false;
        }
        for (Listing listing : moment.listings()) {
            if (listing.isLive() && listing.oneOf(ONE_OF) == 0 && names(call, wire.symbol(listing))) {
                return true;
            }
        }
        return false;
    }

    private static boolean names(Call call, String symbol) {
        return call.query().containsValue(symbol)
                || call.path().contains("/" + symbol)
                || call.body().contains("\"" + symbol + "\"");
    }
}
