package io.fundingobservatory.testbed.sim.limits;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request beyond a limit.
 *
 * @param status the HTTP status
 * @param body the body; null for the exchange's usual one for this
 */
public record OverLimitResponse(
        int status, Map<String, String> headers, @Nullable String body) {}
