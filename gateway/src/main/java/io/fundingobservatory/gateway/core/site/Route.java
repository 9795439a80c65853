package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.Kind;
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

/** The addresses of the interface. What a request may name and what the index lists comes from here. */
public enum Route {
    INDEX(Path.INDEX, Query.Takes.NOTHING, "This index.", "", null),
    LATEST(
            Path.LATEST,
            takes(
                    Stream.concat(Stream.of("venues", "assets", "symbols"), Selection.PARAMETERS.stream()),
                    Stream.of("since"),
                    EncodedRow.COLUMNS.fields(),
                    null,
                    10_000),
            "Rows sorted by exchange, then symbol. Without venues: the default scope of /api/v1/venues.",
            "venues (all names every listed exchange), assets, symbols, asset_class: names separated by commas; each narrows."
                    + " min_abs_funding_rate_8h, settles_before_ms: select rows by a value. fields: names"
                    + " of the row; order: a numeric field, - for descending; limit; layout=columns; numbers=text; missing=reasons; since: a tag",
            null),
    VENUES(
            Path.VENUES,
            takes(Stream.of("venues"), Stream.of(), VenuesPage.FIELDS, null, 10_000),
            "The listed exchanges one by one, whether observed or not.",
            "venues: names separated by commas, every listed exchange if not given; the others as for /api/v1/latest",
            null),
    CARRY(
            Path.CARRY,
            takes(Stream.of("assets", "venues", Query.MIN_POSITIVE_DAYS), Stream.of(), PairRow.FIELDS, 100, 1_000),
            "Cross-exchange pairs ranked by what the funding difference added up to over 30 days; incomplete and refused"
                    + " ones apart.",
            "assets, venues (both legs at exchanges named; all names every listed one): names separated by commas; min_positive_days: 1 to"
                    + " 30; limit: 1 to 1000, 100 if not given. fields: names such as long.venue; order, layout, numbers and missing as for /api/v1/latest",
            null),
    HISTORY(
            Path.INDEX + "/history",
            Query.Takes.NOTHING,
            "Funding-rate history; the next release.",
            "",
            "funding-rate history is not built yet; it is the next release"),
    CUMULATIVE_CURVE(Path.INDEX + "/cumulative_curve", Kind.CUMULATIVE_CURVE),
    RATE_HISTORY(Path.INDEX + "/rate_history", Kind.RATE_HISTORY),
    VOLUME(Path.INDEX + "/volume", Kind.VOLUME),
    DEPTH_PROFILE(Path.INDEX + "/depth_profile", Kind.DEPTH_PROFILE);

    /** The paths of what is served, as annotations need them. */
    public static final class Path {
        public static final String PAGE = "/";
        public static final String INDEX = "/api/v1";
        public static final String LATEST = INDEX + "/latest";
        public static final String VENUES = INDEX + "/venues";
        public static final String CARRY = INDEX + "/carry";

        private Path() {}
    }

    private static final Map<String, Route> BY_PATH =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(route -> route.path, Function.identity()));

    public final String path;

    @SuppressWarnings("ImmutableEnumChecker") // made of immutable lists
    final Query.Takes takes;

    final String meaning;

    /** What its parameters do, for the index; empty where it takes none. */
    final String parametersMeaning;

    /** Why its status is 501; null for what is served. */
    final @Nullable String notYet;

    Route(String path, Query.Takes takes, String meaning, String parametersMeaning, @Nullable String notYet) {
        this.path = path;
        this.takes = takes;
        this.meaning = meaning;
        this.parametersMeaning = parametersMeaning;
        this.notYet = notYet;
    }

    Route(String path, Kind kind) {
        this(path, Query.Takes.NOTHING, kind.meaning, "", kind.meaning + ": not returned yet in this release");
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

    /** Whether it responds with content, not with 501. */
    public boolean served() {
        return notYet == null;
    }

    /** The routes that the index lists; the kinds that are not returned yet have a list of their own there. */
    static List<Route> listed() {
        return List.of(INDEX, LATEST, VENUES, CARRY, HISTORY);
    }
}
