package io.fundingobservatory.testbed.sim.limits;

import io.fundingobservatory.testbed.sim.SimulatedRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One limit that an exchange sets for an IP address: which requests draw on it, how many units in how long a rolling window.
 *
 * @param name what the limit counts, for reports
 * @param certainty how far the exchange's own pages confirm it
 * @param units what the window holds
 * @param counts the requests that draw on it
 * @param apart what is counted apart: requests of the same key share one window
 * @param cost units of a request, known when it comes
 * @param costOfResponse units that the body of the response adds
 * @param usageHeader the exchange's header with the units used in the window; null without one
 * @param beyond what it returns beyond the limit
 */
public record LimitPool(
        String name,
        Certainty certainty,
        long units,
        Duration window,
        Predicate<SimulatedRequest> counts,
        Function<SimulatedRequest, String> apart,
        ToLongFunction<SimulatedRequest> cost,
        ToLongBiFunction<SimulatedRequest, String> costOfResponse,
        @Nullable String usageHeader,
        OverLimitPolicy beyond) {

    /** How much a limit binds. */
    public enum Certainty {
        /** Published: of it the service takes at most a fifth. */
        PUBLISHED,
        /** A second, stricter reading of unclear documents: never gone beyond, but no share of it is claimed. */
        CAUTIOUS,
        /** No limit is known: requests are counted and never refused. */
        UNKNOWN
    }

    static LimitPool of(String name, long units, Duration window) {
        return new LimitPool(
                name,
                Certainty.PUBLISHED,
                units,
                window,
                call -> true,
                call -> "",
                call -> 1,
                (call, body) -> 0,
                null,
                OverLimitPolicy.status(429));
    }

    static LimitPool unknown() {
        return of("requests", Long.MAX_VALUE, Duration.ofMinutes(1)).certainty(Certainty.UNKNOWN);
    }

    LimitPool certainty(Certainty other) {
        return new LimitPool(name, other, units, window, counts, apart, cost, costOfResponse, usageHeader, beyond);
    }

    LimitPool on(String host) {
        return counting(call -> call.host().equals(host));
    }

    /** Only requests to exactly this path. */
    LimitPool at(String path) {
        return counting(call -> call.path().equals(path));
    }

    /** Only requests whose path begins with one of these. */
    LimitPool under(String... paths) {
        return counting(call -> List.of(paths).stream().anyMatch(call.path()::startsWith));
    }

    private LimitPool counting(Predicate<SimulatedRequest> condition) {
        return new LimitPool(
                name,
                certainty,
                units,
                window,
                counts.and(condition),
                apart,
                cost,
                costOfResponse,
                usageHeader,
                beyond);
    }

    LimitPool eachPath() {
        return each(SimulatedRequest::path);
    }

    LimitPool each(Function<SimulatedRequest, String> key) {
        return new LimitPool(name, certainty, units, window, counts, key, cost, costOfResponse, usageHeader, beyond);
    }

    LimitPool cost(ToLongFunction<SimulatedRequest> units) {
        return new LimitPool(
                name, certainty, this.units, window, counts, apart, units, costOfResponse, usageHeader, beyond);
    }

    LimitPool costOfResponse(ToLongBiFunction<SimulatedRequest, String> units) {
        return new LimitPool(name, certainty, this.units, window, counts, apart, cost, units, usageHeader, beyond);
    }

    LimitPool usageHeader(String header) {
        return new LimitPool(name, certainty, units, window, counts, apart, cost, costOfResponse, header, beyond);
    }

    LimitPool beyond(OverLimitPolicy other) {
        return new LimitPool(name, certainty, units, window, counts, apart, cost, costOfResponse, usageHeader, other);
    }
}
