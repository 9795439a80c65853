package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.PairColumns;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.SnapshotInterval;
import io.fundingobservatory.gateway.core.snapshot.Units;
import io.fundingobservatory.gateway.core.snapshot.VenuesPage;
import io.fundingobservatory.gateway.traffic.Limits;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
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

    /** What a request costs and names, with what is prepared for it. */
    public Priced price(SiteRequest request, @Nullable Snapshot snapshot) {
        if (snapshot != null) {
            lists.seen(snapshot);
        }
        return RequestPricing.of(request, snapshot, files, lists);
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
        return switch (route) {
            case INDEX ->
                table(
                        request,
                        snapshot,
                        names -> null,
                        (s, names) -> s.prepared(Route.INDEX.path, () -> IndexPage.render(s, limits)));
            case LATEST -> table(request, snapshot, LatestBodies::problem, lists::content);
            case VENUES ->
                table(
                        request,
                        snapshot,
                        names -> RowForm.problem(names, VenuesPage.FIELDS, LatestBodies.LIMIT_MOST),
                        (s, names) ->
                                s.venues(names.of("venues") == null ? null : s.scope(names), RowForm.of(names, null)));
            case CARRY ->
                table(
                        request,
                        snapshot,
                        Site::pairsProblem,
                        (s, names) -> s.pairs(PairQuery.of(names, s.scope(names))));
            default -> errors.notYet(Objects.requireNonNull(route.notYet), request.nowMs(), snapshot);
        };
    }

    /** Why parameters of {@code /api/v1/carry} cannot be read; null when they can. */
    static @Nullable String pairsProblem(Parameters.Names names) {
        return RowForm.problem(names, PairColumns.FIELDS, PairQuery.LIMIT_MOST);
    }

    private SiteResponse file(SiteRequest request, @Nullable Snapshot snapshot) {
        Content content = request.path().equals(Files.MANIFEST) ? manifest : files.get(request.path());
        if (content == null) {
            return errors.unknownEndpoint(request.path(), request.nowMs(), snapshot);
        }
        // Links to the page carry parameters of others (utm_source, fbclid); it has none of its own.
        if (!request.plain() && !request.path().equals(Files.PAGE)) {
            return unreadable(request, snapshot);
        }
        Priced.Prepared match = ConditionalResponse.match(request, content, startedMs);
        SiteResponse response = ConditionalResponse.of(match, files.cacheControl(request.path()), startedMs);
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

    private SiteResponse table(
            SiteRequest request,
            @Nullable Snapshot snapshot,
            Function<Parameters.Names, @Nullable String> problem,
            BiFunction<Snapshot, Parameters.Names, @Nullable Content> page) {
        if (!(request.query() instanceof Parameters.Names names)) {
            return unreadable(request, snapshot);
        }
        String why = problem.apply(names);
        if (why != null) {
            return errors.unreadable(why, request.nowMs(), snapshot);
        }
        if (snapshot == null) {
            return errors.starting(request.nowMs(), null);
        }
        Content content = page.apply(snapshot, names);
        return content == null
                ? errors.starting("the first table of 30-day pairs is not there yet", request.nowMs(), snapshot)
                : prepared(
                        ConditionalResponse.match(request, content, snapshot.modifiedMs()), request.nowMs(), snapshot);
    }

    private SiteResponse unreadable(SiteRequest request, @Nullable Snapshot snapshot) {
        String reason =
                request.query() instanceof Parameters.Unreadable(String why) ? why : "this address takes no parameters";
        return errors.unreadable(reason, request.nowMs(), snapshot);
    }

    /** The response of content that was prepared with that snapshot. */
    public static SiteResponse prepared(Priced.Prepared prepared, long nowMs, Snapshot snapshot) {
        return ConditionalResponse.of(prepared, snapshot.cacheControl(nowMs), snapshot.modifiedMs());
    }

    /** The response of a snapshot to an equal request of another instant, epoch ms UTC. */
    public static SiteResponse at(long nowMs, SiteResponse response, Snapshot snapshot) {
        return ConditionalResponse.keptFor(response, snapshot.cacheControl(nowMs));
    }

    private static Content manifest(Files files, long startedMs) {
        return files.manifest(Envelope.ofFiles(startedMs, Units.MANIFEST));
    }
}
