package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Selection;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.snapshot.PairRow;
import io.fundingobservatory.gateway.core.snapshot.VenuesPage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The addresses of the interface, and what a request for each may name. {@code served/index.json} describes them. */
public enum Route {
    INDEX("/api/v1", Query.Takes.NOTHING),
    LATEST(
            "/api/v1/latest",
            takes(
                    Stream.concat(Stream.of("venues", "assets", "symbols"), Selection.PARAMETERS.stream()),
                    Stream.of("since"),
                    EncodedRow.COLUMNS.fields(),
                    null,
                    10_000)),
    VENUES("/api/v1/venues", takes(Stream.of("venues"), Stream.of(), VenuesPage.FIELDS, null, 10_000)),
    CARRY(
            "/api/v1/carry",
            takes(Stream.of("assets", "venues", Query.MIN_POSITIVE_DAYS), Stream.of(), PairRow.FIELDS, 100, 1_000)),
    HISTORY("/api/v1/history", "funding-rate history is not built yet; it is the next release"),
    CUMULATIVE_CURVE("/api/v1/cumulative_curve", "Day-by-day build-up of that total: not returned yet in this release"),
    RATE_HISTORY(
            "/api/v1/rate_history", "Funding-rate history as a series of past rates: not returned yet in this release"),
    VOLUME("/api/v1/volume", "Turnover and open interest: not returned yet in this release"),
    DEPTH_PROFILE(
            "/api/v1/depth_profile",
            "Order-book thickness and cost of getting filled: not returned yet in this release");

    private static final Map<String, Route> BY_PATH =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(route -> route.path, Function.identity()));

    public final String path;

    @SuppressWarnings("ImmutableEnumChecker") // made of immutable lists
    final Query.Takes takes;

    /** Why its status is 501; null for what is served. */
    final @Nullable String notYet;

    Route(String path, Query.Takes takes) {
        this(path, takes, null);
    }

    Route(String path, String notYet) {
        this(path, Query.Takes.NOTHING, notYet);
    }

    Route(String path, Query.Takes takes, @Nullable String notYet) {
        this.path = path;
        this.takes = takes;
        this.notYet = notYet;
    }

    /** What a list takes, whose rows can be in another form. */
    private static Query.Takes takes(
            Stream<String> before,
            Stream<String> after,
            RowForm.Fields fields,
            @Nullable Integer limit,
            int limitMost) {
        List<String> parameters = Stream.of(before, RowForm.PARAMETERS.stream(), after)
                .flatMap(part -> part)
                .toList();
        return new Query.Takes(parameters, fields, limit, limitMost);
    }

    /** The route of a path as it was sent; null for files, and where nothing is served. */
    public static @Nullable Route of(String path) {
        return BY_PATH.get(path);
    }
}
