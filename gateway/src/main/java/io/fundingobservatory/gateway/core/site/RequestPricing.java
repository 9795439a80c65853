package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.AcceptEncoding;
import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Parameters;
import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.RowForm;
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
    private static final Priced LEAST = new Priced(new RequestCost(1, Set.of()), null);

    /**
     * A 503 costs nothing: a client that waits for the first snapshot has all its points when it is there. The page and its parts cost
     * nothing either: people behind one address must not refuse each other.
     */
    private static final Priced NOTHING = new Priced(new RequestCost(0, Set.of()), null);

    private static final Set<String> FITS_NOTHING = Set.of("fits nothing");

    /** A few hundred rows are far smaller than the list. */
    private static final RequestCost PART = new RequestCost(2, Set.of());

    private static final int PART_ROWS = 500;

    /** More exchanges than these in one request cost as much as the list that holds them all. */
    private static final int FEW_VENUES = 8;

    /** So that the eight largest venues as plain text, 2.4 MB, cost as much as the packed list, which is shared by all. */
    private static final long BYTES_A_POINT = 400_000;

    private RequestPricing() {}

    /** HEAD and conditional requests count like any other; what reads nothing costs least. */
    static Priced of(SiteRequest request, @Nullable Snapshot snapshot, Files files, LatestBodies lists) {
        if (request.reads() && files.isPage(request.path())) {
            return NOTHING;
        }
        if (!request.reads() || !(request.query() instanceof Parameters.Names names)) {
            return LEAST;
        }
        Route route = request.route();
        if (route == null) {
            return LEAST;
        }
        if (snapshot == null) {
            return route.served() ? NOTHING : LEAST;
        }
        return switch (route) {
            case LATEST -> latest(request, names, snapshot, lists);
            case CARRY -> pairs(request, names, snapshot);
            case INDEX, VENUES ->
                request.plain()
                        ? new Priced(LEAST.cost(), match(request, snapshot.prepared(request.path()), snapshot))
                        : LEAST;
            default -> LEAST;
        };
    }

    private static Priced pairs(SiteRequest request, Parameters.Names names, Snapshot snapshot) {
        if (Site.pairsProblem(names) != null) {
            return LEAST;
        }
        PairRanking ranking = snapshot.ranking();
        if (ranking == null) {
            return NOTHING;
        }
        Scope scope = snapshot.scope(names);
        PairQuery query = PairQuery.of(names, scope);
        Priced.Prepared prepared = match(request, snapshot.prepared(query), snapshot);
        boolean unchanged = prepared != null && prepared.unchanged();
        double points = unchanged ? LEAST.cost().points() : query.pointsOf(ranking.pairsOf(scope.assets()));
        return new Priced(new RequestCost(points, named(scope)), prepared);
    }

    private static Priced latest(SiteRequest request, Parameters.Names names, Snapshot snapshot, LatestBodies lists) {
        if (!request.plain() && LatestBodies.problem(names) != null) {
            return LEAST;
        }
        Scope scope = snapshot.scope(names);
        RowForm form = request.plain() ? RowForm.WHOLE : RowForm.of(names, null);
        boolean changes = names.of("since") != null;
        Content made =
                changes ? LatestBodies.preparedChanges(snapshot, scope, names) : snapshot.preparedLatest(scope, form);
        Priced.Prepared prepared = match(request, made, snapshot);
        Set<String> named = named(scope);
        RequestCost cost;
        if (!named.isEmpty()) {
            cost = new RequestCost(LEAST.cost().points(), named);
        } else if (prepared != null && prepared.unchanged()) {
            cost = LEAST.cost();
        } else {
            cost = listCost(request, scope, snapshot, changes ? lists.changedPart(snapshot, scope, names) : 1);
            if (form.limit() != null && form.limit() <= PART_ROWS && cost.points() > PART.points()) {
                cost = PART;
            }
        }
        return new Priced(cost, prepared);
    }

    /**
     * A few venues cost by what is sent, never more than the list that holds them all.
     *
     * @param part of the rows that is sent, from 0 to 1
     */
    private static RequestCost listCost(SiteRequest request, Scope scope, Snapshot snapshot, double part) {
        double points = Route.LATEST.points;
        if (scope.named() && scope.venues().size() <= FEW_VENUES) {
            boolean packed = AcceptEncoding.welcome(request.acceptEncoding(), Coding.GZIP);
            points = Math.min(points, (double) snapshot.listBytes(scope, packed) / BYTES_A_POINT);
        }
        return new RequestCost(Math.max(1, Math.ceil(points * part)), Set.of());
    }

    /** Only what this snapshot has made already is looked at: nothing is made to find a price. */
    private static Priced.@Nullable Prepared match(SiteRequest request, @Nullable Content prepared, Snapshot snapshot) {
        return prepared == null ? null : ConditionalResponse.match(request, prepared, snapshot.modifiedMs());
    }

    /** What a request names, in one spelling; names that fit nothing count as one, and only where no other is named. */
    private static Set<String> named(Scope scope) {
        if (!scope.namesContracts()) {
            return Set.of();
        }
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
