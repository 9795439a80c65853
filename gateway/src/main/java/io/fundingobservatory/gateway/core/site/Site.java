package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.snapshot.CarryPage;
import io.fundingobservatory.gateway.core.snapshot.LatestPage;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.VenuesPage;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
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
 * Decides what a request gets: its price, and its response, derived from one snapshot or from the files. A response never comes from a store,
 * and is never an empty stand-in.
 *
 * <p>A cache may keep a response derived from a snapshot until the next snapshot
 * interval. The time is in whole seconds and at least 1. It may keep a file for {@link
 * Files#cacheControl}. It may not keep an error, or a response of an endpoint that is not built.
 */
public final class Site {
    /** How long a browser may remember what other origins may do: a day, which is the longest that any of them does. */
    private static final int PREFLIGHT_MAX_AGE_S = 86_400;

    private static final int LEAST = 1;
    static final int SOME = 3;
    static final int ALL = 6;

    /** More names cost as much as some whole exchanges. */
    private static final int FEW_NAMES = 10;

    private final Files files;
    private final long startedMs;
    private final ErrorResponses errors;
    private final Limits limits;
    private final ServedLists lists = new ServedLists();
    private volatile @Nullable Snapshot newest;
    private final Content manifest;

    /** {@code startedMs} is when this process began to serve the files, epoch ms UTC; refusals state {@code limits}. */
    public Site(Files files, long startedMs, Limits limits, Supplier<String> waitingFor) {
        this.files = files;
        this.startedMs = startedMs;
        this.limits = limits;
        this.errors = new ErrorResponses(files, limits, waitingFor);
        this.manifest = files.manifest(startedMs);
    }

    public ErrorResponses errors() {
        return errors;
    }

    /**
     * What a request gets. Nothing is searched or rendered for the decision itself.
     *
     * @param points its price: 0 for files and while the service starts, 1, 3, or 6 for a list of all exchanges; HEAD costs the same
     * @param names searches the symbols and assets that it names, in one spelling, as far as they fit something; pairs are no part of a sweep
     * @param rendered whether the response takes milliseconds to make
     */
    public record Decision(int points, Supplier<Set<String>> names, boolean rendered, Supplier<SiteResponse> response) {
        private static Decision atOnce(int points, Supplier<SiteResponse> response) {
            return new Decision(points, Set::of, false, response);
        }
    }

    /** Decides with the snapshot that is current; null before the first one, when tables get 503. */
    public Decision decide(SiteRequest request, @Nullable Snapshot snapshot) {
        if (!request.reads()) {
            return Decision.atOnce(
                    LEAST,
                    () -> request.method().equals("OPTIONS") ? options() : errors.of(405, request.nowMs(), snapshot));
        }
        Route route = request.route();
        if (route == null) {
            return file(request, snapshot);
        }
        String notYet = route.notYet;
        if (notYet != null) {
            return Decision.atOnce(LEAST, () -> errors.notYet(notYet, request.nowMs(), snapshot));
        }
        String problem = request.query().problem();
        if (problem == null && request.query().contracts() > limits.requestNames()) {
            problem = "one request may name at most " + limits.requestNames()
                    + " symbols and assets; fetch the whole list for more and filter it locally";
        }
        return problem == null ? table(request, route, snapshot) : unreadable(problem, request, snapshot);
    }

    private Decision unreadable(String why, SiteRequest request, @Nullable Snapshot snapshot) {
        return Decision.atOnce(LEAST, () -> errors.unreadable(why, request.nowMs(), snapshot));
    }

    private Decision table(SiteRequest request, Route route, @Nullable Snapshot snapshot) {
        if (snapshot == null) {
            return Decision.atOnce(0, () -> errors.starting(request.nowMs(), null));
        }
        if (route == Route.CARRY && snapshot.ranking() == null) {
            return Decision.atOnce(
                    0,
                    () -> errors.starting(
                            "the first table of 30-day pairs is not there yet", request.nowMs(), snapshot));
        }
        if (newest != snapshot) {
            newest = snapshot;
            // It is also served without a look at the parameters.
            remember(new LatestPage(snapshot, Scope.DEFAULT, RowForm.WHOLE), Map.of(), snapshot.wholeList());
        }
        Query query = request.query();
        int points = points(route, query, snapshot);
        Supplier<Set<String>> named = () -> route == Route.LATEST ? contracts(query, snapshot) : Set.of();
        // Who has no list that is known gets the whole one, as without since.
        Map<String, Set<String>> names = former(snapshot, query) == null ? query.withoutSince() : query.names();
        List<Object> key = List.of(route, names);
        boolean plain = route == Route.LATEST && names.isEmpty();
        Content made = plain ? snapshot.wholeList() : snapshot.prepared(key);
        if (made == null) {
            return new Decision(points, named, true, () -> {
                Content now = snapshot.prepared(key);
                return response(
                        request, now == null ? snapshot.keep(key, content(route, query, snapshot)) : now, snapshot);
            });
        }
        SiteResponse response = response(request, made, snapshot);
        return new Decision(response.status() == 304 ? LEAST : points, named, false, () -> response);
    }

    private static SiteResponse response(SiteRequest request, Content content, Snapshot snapshot) {
        return SiteResponse.of(request, content, snapshot.cacheControl(request.nowMs()), snapshot.modifiedMs());
    }

    private int points(Route route, Query query, Snapshot snapshot) {
        return switch (route) {
            case LATEST -> {
                if (query.contracts() > 0) {
                    yield query.contracts() <= FEW_NAMES ? LEAST : SOME;
                }
                if (query.since() != null) {
                    yield former(snapshot, query) == null ? ALL : LEAST;
                }
                Set<String> venues = query.names().get("venues");
                yield venues == null
                                || venues.stream().anyMatch(Scope.EVERY_VENUE::equalsIgnoreCase)
                                || venues.size() >= ListedVenue.ALL.size()
                        ? ALL
                        : SOME;
            }
            case CARRY -> query.form().order() == null ? SOME : ALL;
            default -> LEAST;
        };
    }

    /** At most {@code names_per_request} are searched: a request with more is not readable. */
    private static Set<String> contracts(Query query, Snapshot snapshot) {
        if (query.contracts() == 0) {
            return Set.of();
        }
        Scope scope = snapshot.scope(query);
        var named = new HashSet<String>();
        Stream.ofNullable(scope.assets()).flatMap(Set::stream).forEach(name -> named.add("assets=" + name));
        Stream.ofNullable(scope.symbols()).flatMap(Set::stream).forEach(name -> named.add("symbols=" + name));
        return named;
    }

    private Content content(Route route, Query query, Snapshot snapshot) {
        return switch (route) {
            case LATEST -> latest(query, snapshot);
            case VENUES ->
                VenuesPage.render(snapshot, query.count("venues") == 0 ? null : snapshot.scope(query), query.form());
            case CARRY -> CarryPage.render(snapshot, snapshot.scope(query), query);
            default -> IndexPage.render(snapshot, limits);
        };
    }

    /** The list, or what it lacks of the one that the client has. */
    private Content latest(Query query, Snapshot snapshot) {
        Scope scope = snapshot.scope(query);
        var page = new LatestPage(snapshot, scope, query.form());
        Content list = snapshot.latest(scope, query.form());
        remember(page, query.withoutSince(), list);
        ServedLists.Former former = former(snapshot, query);
        return former == null ? list : page.changes(former, Objects.requireNonNull(query.since()), list.tag());
    }

    private void remember(LatestPage page, Map<String, Set<String>> request, Content list) {
        lists.served(
                page.isCommon(), list.tag(), request, page.snapshot().generatedAtMs(), page.venues(), page.someKeys());
    }

    /** The list that the client has, if it was served in the last minutes to an equal request. */
    private ServedLists.@Nullable Former former(Snapshot snapshot, Query query) {
        String since = query.since();
        return since == null ? null : lists.since(since, query.withoutSince(), snapshot.generatedAtMs());
    }

    private Decision file(SiteRequest request, @Nullable Snapshot snapshot) {
        String path = request.path();
        Content content = path.equals(Files.MANIFEST) ? manifest : files.get(path);
        if (content == null) {
            return Decision.atOnce(LEAST, () -> errors.unknownEndpoint(path, request.nowMs(), snapshot));
        }
        String problem = request.query().problem();
        if (problem != null) {
            return unreadable(problem, request, snapshot);
        }
        return Decision.atOnce(0, () -> {
            SiteResponse response = SiteResponse.of(request, content, files.cacheControl(path), startedMs);
            String policy = files.policy(path);
            if (policy != null) {
                response.headers().put("Content-Security-Policy", policy);
            }
            return response;
        });
    }

    private static SiteResponse options() {
        Map<String, String> headers = SiteResponse.commonHeaders();
        headers.put("Allow", SiteResponse.METHODS);
        headers.put("Access-Control-Allow-Methods", SiteResponse.METHODS);
        headers.put("Access-Control-Allow-Headers", "*, If-None-Match, Content-Type");
        headers.put("Access-Control-Max-Age", Integer.toString(PREFLIGHT_MAX_AGE_S));
        return new SiteResponse(204, headers, List.of());
    }
}
