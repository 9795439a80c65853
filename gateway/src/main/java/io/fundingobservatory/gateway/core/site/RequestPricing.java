package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.RequestCost;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What requests cost, in points, and which symbols and assets they name in one spelling each. */
final class RequestPricing {
    private static final RequestCost LEAST = new RequestCost(1, Set.of());

    /** A first look at the page loads some thirty parts, which are kept for a year: people behind one address must not refuse each other. */
    private static final RequestCost NOTHING = new RequestCost(0, Set.of());

    private static final RequestCost LIST = new RequestCost(Route.LATEST.points, Set.of());

    /** More exchanges than these in one request cost as much as the list that holds them all. */
    private static final int FEW_VENUES = 8;

    private RequestPricing() {}

    /** HEAD and conditional requests count like any other; what reads nothing costs least. */
    static RequestCost of(SiteRequest request, @Nullable Snapshot snapshot) {
        if (!request.reads() || !(request.query() instanceof Parameters.Names names)) {
            return LEAST;
        }
        return switch (request.route()) {
            case LATEST -> latest(request, names, snapshot);
            case CARRY -> pairs(request, names, snapshot);
            case null -> Files.isPagePart(request.path()) ? NOTHING : LEAST;
            default -> LEAST;
        };
    }

    private static RequestCost pairs(SiteRequest request, Parameters.Names names, @Nullable Snapshot snapshot) {
        Integer limit = PairQuery.limit(names);
        if (limit == null) {
            return LEAST;
        }
        boolean unchanged = request.conditional()
                && snapshot != null
                && unchanged(request, snapshot.preparedPairs(new PairQuery(snapshot.scope(names), limit)), snapshot);
        return new RequestCost(unchanged ? LEAST.points() : PairQuery.points(limit), named(names));
    }

    private static RequestCost latest(SiteRequest request, Parameters.Names names, @Nullable Snapshot snapshot) {
        Set<String> named = named(names);
        if (!named.isEmpty()) {
            return new RequestCost(LEAST.points(), named);
        }
        Set<String> venues = names.of("venues");
        if (snapshot == null
                || (venues != null
                        && venues.size() <= FEW_VENUES
                        && venues.stream().noneMatch(Scope.EVERY_VENUE::equalsIgnoreCase))) {
            return LEAST;
        }
        boolean unchanged =
                request.conditional() && unchanged(request, snapshot.preparedLatest(snapshot.scope(names)), snapshot);
        return unchanged ? LEAST : LIST;
    }

    /** What the client has can only be the same as what this generation has made already: nothing is made to find a price. */
    private static boolean unchanged(SiteRequest request, @Nullable Content prepared, Snapshot snapshot) {
        return prepared != null && ConditionalResponse.unchanged(request, prepared, snapshot.generatedAtMs());
    }

    private static Set<String> named(Parameters.Names names) {
        if (names.of("assets") == null && names.of("symbols") == null) {
            return Set.of();
        }
        var named = new HashSet<String>();
        for (String parameter : List.of("assets", "symbols")) {
            Set<String> listed = names.of(parameter);
            if (listed != null) {
                listed.forEach(name -> named.add(parameter + ':' + Scope.upper(name)));
            }
        }
        return named;
    }
}
