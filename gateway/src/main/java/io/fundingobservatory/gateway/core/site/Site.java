package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.PairColumns;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.SnapshotInterval;
import io.fundingobservatory.gateway.core.snapshot.Units;
import io.fundingobservatory.gateway.core.snapshot.VenuesPage;
import io.fundingobservatory.gateway.traffic.Limits;
import io.fundingobservatory.topics.ListedVenue;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Responses of the endpoints, derived from a snapshot and the files. They never come from a store, and are
 * never an empty stand-in.
 *
 * <p>A cache may keep a response derived from a snapshot until the next snapshot interval ({@link
 * SnapshotInterval}). The time is in whole seconds and at least 1. It may keep a file for {@link
 * Files#cacheControl}. It may not keep an error, or a response of an endpoint that is not built.
 */
public final class Site {
    /** How long a browser may remember what other origins may do: a day, which is the longest that any of them does. */
    private static final int PREFLIGHT_MAX_AGE_S = 86_400;

    private static final int LEAST = 1;
    static final int SOME = 3;
    private static final int ALL = Route.LATEST.points;

    /** More names cost as much as some whole exchanges. */
    private static final int FEW_NAMES = 10;

    private final Files files;
    private final long startedMs;
    private final ErrorResponses errors;
    private final Limits limits;
    private final LatestBodies lists = new LatestBodies();
    private final Content manifest;

    /** {@code startedMs} is when this process began to serve the files, epoch ms UTC; refusals state {@code limits}. */
    public Site(Files files, long startedMs, Limits limits, Supplier<String> waitingFor) {
        this.files = files;
        this.startedMs = startedMs;
        this.limits = limits;
        this.errors = new ErrorResponses(files, limits, waitingFor);
        this.manifest = manifest(files, startedMs);
    }

    public ErrorResponses errors() {
        return errors;
    }

    /**
     * What a request costs.
     *
     * @param points 0 for files and while the service starts, 1, 3, or 6 for a list of all exchanges
     * @param prepared what is there for it already; null where it has to be made
     */
    public record Priced(int points, ConditionalResponse.@Nullable Match prepared) {}

    /** Prices a request. Nothing is searched and nothing is made for that; HEAD and conditional requests cost like any other. */
    public Priced price(SiteRequest request, @Nullable Snapshot snapshot) {
        if (!request.reads() || !(request.query() instanceof Parameters.Names names)) {
            return new Priced(LEAST, null);
        }
        Route route = request.route();
        if (route == null) {
            Content file = file(request.path());
            return file == null
                    ? new Priced(LEAST, null)
                    : new Priced(0, ConditionalResponse.match(request, file, startedMs));
        }
        if (snapshot == null) {
            return new Priced(route.served() ? 0 : LEAST, null);
        }
        lists.seen(snapshot);
        Content ready = problem(route, names) == null ? snapshot.ready(route, names) : null;
        var match = ready == null ? null : ConditionalResponse.match(request, ready, snapshot.modifiedMs());
        boolean unchanged = match != null && match.unchanged();
        return new Priced(unchanged ? LEAST : points(route, names, snapshot), match);
    }

    private int points(Route route, Parameters.Names names, Snapshot snapshot) {
        if (problem(route, names) != null) {
            return LEAST;
        }
        return switch (route) {
            case LATEST -> {
                int named = names.count("assets") + names.count("symbols");
                if (named > 0) {
                    yield named <= FEW_NAMES ? LEAST : SOME;
                }
                if (names.of("since") != null) {
                    yield lists.knows(snapshot, names) ? LEAST : ALL;
                }
                Set<String> venues = names.of("venues");
                yield venues == null
                                || venues.stream().anyMatch(Scope.EVERY_VENUE::equalsIgnoreCase)
                                || venues.size() >= ListedVenue.ALL.size()
                        ? ALL
                        : SOME;
            }
            case CARRY -> snapshot.ranking() == null ? 0 : names.of("order") == null ? SOME : ALL;
            default -> LEAST;
        };
    }

    /**
     * The symbols and assets that a request names, in one spelling, as far as they fit something. Pairs are no part of a sweep. At most
     * {@code names_per_request} are searched.
     */
    public static Set<String> names(SiteRequest request, @Nullable Snapshot snapshot) {
        if (snapshot == null
                || !request.reads()
                || request.route() != Route.LATEST
                || !(request.query() instanceof Parameters.Names names)
                || (names.count("assets") == 0 && names.count("symbols") == 0)
                || problem(Route.LATEST, names) != null) {
            return Set.of();
        }
        Scope scope = snapshot.scope(names);
        var named = new HashSet<String>();
        Stream.ofNullable(scope.assets()).flatMap(Set::stream).forEach(name -> named.add("assets=" + name));
        Stream.ofNullable(scope.symbols()).flatMap(Set::stream).forEach(name -> named.add("symbols=" + name));
        return named;
    }

    /** Why parameters of a route cannot be read; null when they can. */
    private static @Nullable String problem(Route route, Parameters.Names names) {
        return switch (route) {
            case LATEST -> LatestBodies.problem(names);
            case VENUES -> RowForm.problem(names, VenuesPage.FIELDS, LatestBodies.LIMIT_MOST);
            case CARRY -> PairQuery.problem(names, PairColumns.FIELDS);
            default -> null;
        };
    }

    /** The response to a request: of a table, of a file, or that it is not built; 503 before the first snapshot. */
    public SiteResponse response(SiteRequest request, @Nullable Snapshot snapshot) {
        return switch (request.method()) {
            case "GET", "HEAD" -> read(request, snapshot);
            case "OPTIONS" -> options();
            default -> errors.of(405, request.nowMs(), snapshot);
        };
    }

    private SiteResponse read(SiteRequest request, @Nullable Snapshot snapshot) {
        Route route = request.route();
        if (route == null) {
            return file(request, snapshot);
        }
        if (!route.served()) {
            return errors.notYet(Objects.requireNonNull(route.notYet), request.nowMs(), snapshot);
        }
        if (!(request.query() instanceof Parameters.Names names)) {
            return unreadable(request, snapshot);
        }
        String problem = problem(route, names);
        if (problem != null) {
            return errors.unreadable(problem, request.nowMs(), snapshot);
        }
        if (snapshot == null) {
            return errors.starting(request.nowMs(), null);
        }
        lists.seen(snapshot);
        Content content = snapshot.content(route, names, () -> content(route, names, snapshot));
        return content == null
                ? errors.starting("the first table of 30-day pairs is not there yet", request.nowMs(), snapshot)
                : prepared(
                        ConditionalResponse.match(request, content, snapshot.modifiedMs()), request.nowMs(), snapshot);
    }

    private @Nullable Content content(Route route, Parameters.Names names, Snapshot snapshot) {
        return switch (route) {
            case LATEST -> lists.content(snapshot, names);
            case VENUES ->
                snapshot.venues(names.of("venues") == null ? null : snapshot.scope(names), RowForm.of(names, null));
            case CARRY -> snapshot.pairs(PairQuery.of(names, snapshot.scope(names)));
            default -> IndexPage.render(snapshot, limits);
        };
    }

    private @Nullable Content file(String path) {
        return path.equals(Files.MANIFEST) ? manifest : files.get(path);
    }

    private SiteResponse file(SiteRequest request, @Nullable Snapshot snapshot) {
        Content content = file(request.path());
        if (content == null) {
            return errors.unknownEndpoint(request.path(), request.nowMs(), snapshot);
        }
        // Links to the page carry parameters of others (utm_source, fbclid); it has none of its own.
        if (!request.plain() && !request.path().equals(Files.PAGE)) {
            return unreadable(request, snapshot);
        }
        SiteResponse response = ConditionalResponse.of(
                ConditionalResponse.match(request, content, startedMs), files.cacheControl(request.path()), startedMs);
        String policy = files.policy(request.path());
        if (policy != null) {
            response.headers().put("Content-Security-Policy", policy);
        }
        return response;
    }

    private static SiteResponse options() {
        Map<String, String> headers = SiteResponse.commonHeaders();
        headers.put("Allow", SiteResponse.METHODS);
        headers.put("Access-Control-Allow-Methods", SiteResponse.METHODS);
        headers.put("Access-Control-Allow-Headers", "*, If-None-Match, Content-Type");
        headers.put("Access-Control-Max-Age", Integer.toString(PREFLIGHT_MAX_AGE_S));
        return new SiteResponse(204, headers, List.of());
    }

    private SiteResponse unreadable(SiteRequest request, @Nullable Snapshot snapshot) {
        String reason =
                request.query() instanceof Parameters.Unreadable(String why) ? why : "this address takes no parameters";
        return errors.unreadable(reason, request.nowMs(), snapshot);
    }

    /** The response of content that was prepared with that snapshot. */
    private static SiteResponse prepared(ConditionalResponse.Match match, long nowMs, Snapshot snapshot) {
        return ConditionalResponse.of(match, snapshot.cacheControl(nowMs), snapshot.modifiedMs());
    }

    /**
     * The response to a request that was priced, where nothing has to be rendered for it.
     *
     * @return null where it is to be rendered: see {@link #response}
     */
    public @Nullable SiteResponse ready(SiteRequest request, Priced priced, @Nullable Snapshot snapshot) {
        Route route = request.route();
        if (route == null || snapshot == null || !route.served() || !request.reads()) {
            return response(request, snapshot);
        }
        return priced.prepared() == null ? null : prepared(priced.prepared(), request.nowMs(), snapshot);
    }

    private static Content manifest(Files files, long startedMs) {
        return files.manifest(Envelope.ofFiles(startedMs, Units.MANIFEST));
    }
}
