package io.fundingobservatory.gateway.core.request;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The six kinds of data, with what this release is willing to return. */
public enum Kind {
    LATEST_RATES("Latest funding rate and price per exchange and symbol", "/api/v1/latest"),
    PAIR_RANKING("Ranked cross-exchange pairs, with the funding difference summed over 30 days", "/api/v1/carry"),
    CUMULATIVE_CURVE("Day-by-day build-up of that total", null),
    RATE_HISTORY("Funding-rate history as a series of past rates", null),
    VOLUME("Turnover and open interest", null),
    DEPTH_PROFILE("Order-book thickness and cost of getting filled", null);

    static final String NOT_YET = "not returned yet";

    /** Its name in an address, under {@code /api/v1/}. */
    public final String word;

    public final String meaning;

    /** Where it is served; null while it is not returned yet. */
    public final @Nullable String endpoint;

    Kind(String meaning, @Nullable String endpoint) {
        this.word = name().toLowerCase(Locale.ROOT);
        this.meaning = meaning;
        this.endpoint = endpoint;
    }

    /** {@code open}, or that it is not returned yet. */
    public String status() {
        return endpoint == null ? NOT_YET : "open";
    }

    public static List<Kind> notYet() {
        return Arrays.stream(values()).filter(kind -> kind.endpoint == null).toList();
    }
}
