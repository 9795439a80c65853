package io.fundingobservatory.gateway.core;

import io.fundingobservatory.gateway.traffic.Request;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What requests cost, in points, and which symbols and assets they name in one spelling each. */
final class Weight {
    static final Request OTHER = new Request(1, Set.of());
    static final int LIST_POINTS = 6;

    /** More exchanges than these in one request cost as much as the list that holds them all. */
    private static final int FEW_VENUES = 8;

    private Weight() {}

    static Request latest(Ask ask, @Nullable Snapshot snapshot) {
        if (!(Parameters.read(ask.rawQuery(), Scope.PARAMETERS) instanceof Parameters.Names names)) {
            return OTHER;
        }
        Set<String> named = named(names);
        if (!named.isEmpty()) {
            return new Request(1, named);
        }
        Set<String> venues = names.of("venues");
        if (snapshot == null || (venues != null && venues.size() <= FEW_VENUES)) {
            return OTHER;
        }
        boolean unchanged = venues == null && snapshot.latest(Scope.DEFAULT).unchanged(ask);
        return unchanged ? OTHER : new Request(LIST_POINTS, Set.of());
    }

    static Request carry(Ask ask) {
        if (!(Parameters.read(ask.rawQuery(), PairQuery.PARAMETERS) instanceof Parameters.Names names)) {
            return OTHER;
        }
        Integer limit = PairQuery.limit(names);
        return limit == null ? OTHER : new Request(PairQuery.points(limit), named(names));
    }

    private static Set<String> named(Parameters.Names names) {
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
