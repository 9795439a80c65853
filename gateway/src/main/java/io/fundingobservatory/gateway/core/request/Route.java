package io.fundingobservatory.gateway.core.request;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The addresses of the interface. What a request costs and what the index lists comes from here. */
public enum Route {
    INDEX(Path.INDEX, 1, List.of(), "This index.", "", null),
    LATEST(
            Path.LATEST,
            6,
            formed(
                    Stream.concat(Stream.of("venues", "assets", "symbols"), Selection.PARAMETERS.stream())
                            .toList(),
                    List.of("since")),
            "Rows sorted by exchange, then symbol. Without venues: the default scope of /api/v1/venues.",
            "venues (all names every listed exchange), assets, symbols, asset_class: names separated by commas; each narrows."
                    + " min_abs_funding_rate_8h, settles_before_ms: select rows by a value. fields: names"
                    + " of the row; order: a numeric field, - for descending; limit; layout=columns; numbers=text; missing=reasons; since: a tag",
            null),
    VENUES(
            Path.VENUES,
            1,
            formed(List.of("venues"), List.of()),
            "The listed exchanges one by one, whether observed or not.",
            "venues: names separated by commas, every listed exchange if not given; the others as for /api/v1/latest",
            null),
    CARRY(
            Path.CARRY,
            6,
            formed(List.of("assets", "venues", PairQuery.MIN_POSITIVE_DAYS), List.of()),
            "Cross-exchange pairs ranked by what the funding difference added up to over 30 days; incomplete and refused"
                    + " ones apart.",
            "assets, venues (both legs at exchanges named; all names every listed one): names separated by commas; min_positive_days: 1 to"
                    + " 30; limit: 1 to 1000, 100 if not given. fields: names such as long.venue; order, layout, numbers and missing as for /api/v1/latest",
            null),
    HISTORY(
            Path.INDEX + "/history",
            1,
            List.of(),
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
    /** What a request costs at most, in points. */
    public final int points;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    final List<String> parameters;

    public final String meaning;

    /** What its parameters do, for the index; empty where it takes none. */
    public final String parametersMeaning;

    /** Why its status is 501; null for what is served. */
    public final @Nullable String notYet;

    Route(
            String path,
            int points,
            List<String> parameters,
            String meaning,
            String parametersMeaning,
            @Nullable String notYet) {
        this.path = path;
        this.points = points;
        this.parameters = parameters;
        this.meaning = meaning;
        this.parametersMeaning = parametersMeaning;
        this.notYet = notYet;
    }

    Route(String path, Kind kind) {
        this(path, 1, List.of(), kind.meaning, "", kind.meaning + ": not returned yet in this release");
    }

    /** The parameters of rows that can be in another form. */
    private static List<String> formed(List<String> before, List<String> after) {
        return Stream.of(before, RowForm.PARAMETERS, after)
                .flatMap(List::stream)
                .toList();
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
    public static List<Route> listed() {
        return List.of(INDEX, LATEST, VENUES, CARRY, HISTORY);
    }
}
