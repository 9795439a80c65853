package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.RequestCost;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What requests cost, in points, and which symbols and assets they name in one spelling each. */
final class RequestPricing {
    private static final RequestCost LEAST = new RequestCost(1, Set.of());

    /** A first look at the page loads some thirty parts, which are kept for a year: people behind one address must not refuse each other. */
    private static final RequestCost NOTHING = new RequestCost(0, Set.of());

    private static final Set<String> FITS_NOTHING = Set.of("fits nothing");

    private static final RequestCost LIST = new RequestCost(Route.LATEST.points, Set.of());

    /** More exchanges than these in one request cost as much as the list that holds them all. */
    private static final int FEW_VENUES = 8;

    private RequestPricing() {}

    /** HEAD and conditional requests count like any other; what reads nothing costs least. */
    static RequestCost of(SiteRequest request, @Nullable Snapshot snapshot) {
        if (!request.reads() || !(request.query() instanceof Parameters.Names names)) {
            return LEAST;
        }
        Route route = request.route();
        if (snapshot == null) {
            // A 503 costs nothing: a client that waits for the first snapshot has all its points when it is there.
            boolean starting = route != null && route.served();
            return starting || Files.isPagePart(request.path()) ? NOTHING : LEAST;
        }
        return switch (route) {
            case LATEST -> latest(request, names, snapshot);
            case CARRY -> pairs(request, names, snapshot);
            case null -> Files.isPagePart(request.path()) ? NOTHING : LEAST;
            default -> LEAST;
        };
    }

    private static RequestCost pairs(SiteRequest request, Parameters.Names names, Snapshot snapshot) {
        Integer limit = PairQuery.limit(names);
        if (limit == null) {
            return LEAST;
        }
        boolean unchanged = request.conditional()
                && unchanged(request, snapshot.preparedPairs(new PairQuery(snapshot.scope(names), limit)), snapshot);
        return new RequestCost(unchanged ? LEAST.points() : PairQuery.points(limit), named(names, snapshot));
    }

    private static RequestCost latest(SiteRequest request, Parameters.Names names, Snapshot snapshot) {
        Set<String> named = named(names, snapshot);
        if (!named.isEmpty()) {
            return new RequestCost(LEAST.points(), named);
        }
        Set<String> venues = names.of("venues");
        if (venues != null
                && venues.size() <= FEW_VENUES
                && venues.stream().noneMatch(Scope.EVERY_VENUE::equalsIgnoreCase)) {
            return LEAST;
        }
        boolean unchanged =
                request.conditional() && unchanged(request, snapshot.preparedLatest(snapshot.scope(names)), snapshot);
        return unchanged ? LEAST : LIST;
    }

    /** What the client has can only be the same as what this generation has made already: nothing is made to find a price. */
    private static boolean unchanged(SiteRequest request, @Nullable Content prepared, Snapshot snapshot) {
        return prepared != null
                && ConditionalResponse.match(request, prepared, snapshot.modifiedMs())
                        .unchanged();
    }

    /** What a request names, in one spelling; names that fit nothing count as one, and only where no other is named. */
    private static Set<String> named(Parameters.Names names, Snapshot snapshot) {
        if (names.of("assets") == null && names.of("symbols") == null) {
            return Set.of();
        }
        Scope scope = snapshot.scope(names);
        var named = new HashSet<String>();
        add("assets:", scope.assets(), named);
        add("symbols:", scope.symbols(), named);
        return named.isEmpty() ? FITS_NOTHING : named;
    }

    private static void add(String kind, @Nullable Collection<String> names, Set<String> named) {
        if (names != null) {
            names.forEach(name -> named.add(kind + name));
        }
    }
}
