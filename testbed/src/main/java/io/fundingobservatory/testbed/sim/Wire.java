package io.fundingobservatory.testbed.sim;

import org.jspecify.annotations.Nullable;

/**
 * One exchange's wire format, from its documents and recordings and not from its reader. Holds no state.
 *
 * <p>How one is written ({@code venues/Binance} is the example): {@link #traits} says what the exchange can list at all,
 * starting from {@link Traits#usual}. {@link #answer} is one {@code switch} over {@link SimulatedRequest#address()}, one method for each
 * address, each a {@link Json} of the market's contracts with the fields that the exchange has: its own spelling of numbers
 * (text or bare), units (percent, seconds, per 8 h), and of what is absent ({@code 0}, {@code ""}, {@code null}, no field). Rows of dead and dated
 * contracts are written where the exchange writes them, with its own words for their state. Filters, pages and one-by-one
 * addresses are answered by {@link SimulatedRequest#param}; settled history from {@link SimulatedContract#settledBetween} with the exchange's order,
 * page size and jitter. The class is then listed in {@code venues/Wires}, and its limits in {@code limits/PublishedLimits}.
 */
public interface Wire {
    /** The exchange's identifier. */
    String venue();

    Traits traits();

    /** The exchange's own spelling of a contract. */
    String symbol(SimulatedContract contract);

    /** The body that the exchange answers with (HTTP 200); null for an address that it does not know. */
    @Nullable
    String answer(SimulatedRequest request, MarketSnapshot market);

    /** The exchange's own error body for a request that it does not like, as it would send it with HTTP 200 or 400. */
    String errorBody();

    /** The exchange's own body when it is asked too often. */
    String throttledBody();

    /** The HTTP status that a body of {@link #answer} goes out with: 200, unless the exchange refuses the request by it. */
    default int status(String body) {
        return 200;
    }

    /** Whether a request without a User-Agent is refused by the firewall in front of it, with HTTP 403 and a page. */
    default boolean needsUserAgent() {
        return false;
    }

    /** Whether the exchange declares an interval for this contract that its settlements contradict: no reader can know it. */
    default boolean declaresFalsely(SimulatedContract contract) {
        return false;
    }

    /** Whether those bodies come (also) with HTTP 200, so that the body alone has to tell. */
    default boolean refusesInBand() {
        return true;
    }
}
