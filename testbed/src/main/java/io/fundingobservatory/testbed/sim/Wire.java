package io.fundingobservatory.testbed.sim;

import org.jspecify.annotations.Nullable;

/** One exchange's wire format: the inverse of its reader, and as small. Holds no state. */
public interface Wire {
    /** The exchange's identifier. */
    String venue();

    Traits traits();

    /** The exchange's own spelling of a contract. */
    String symbol(Listing listing);

    /** The body that the exchange answers with (HTTP 200); null for an address that it does not know. */
    @Nullable String answer(Call call, Moment moment);

    /** The exchange's own error body for a request that it does not like, as it would send it with HTTP 200 or 400. */
    String errorBody();

    /** The exchange's own body when it is asked too often. */
    String throttledBody();
}
