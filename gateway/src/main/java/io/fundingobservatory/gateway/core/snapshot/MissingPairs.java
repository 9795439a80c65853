package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a response of {@code /api/v1/carry} does not contain, and why. */
record MissingPairs(
        Snapshot snapshot, PairRanking ranking, PairQuery query, CarryPage.Lists lists, UnpairedContracts unpaired) {
    /** Of so many assets without a pair the response names the venues that list them. */
    private static final int ASSETS_EXPLAINED = 10;

    private static final List<String> CURRENT = List.of(
            "long.funding_rate_8h",
            "short.funding_rate_8h",
            "current_difference_8h",
            "current_direction_agrees",
            "price_ratio");
    private static final String NOT_OBSERVED =
            "null where a leg has no row, no 8-hour rate or no mark price in the current observation";
    private static final List<String> USUAL = Stream.of("long.", "short.")
            .flatMap(leg ->
                    Stream.of("rate_8h_p10", "rate_8h_p50", "rate_8h_p90").map(leg::concat))
            .toList();
    private static final String NOT_30_DAYS = "null where fewer than 30 whole days of the leg's settlements are known";
    private static final List<String> DAILY =
            List.of("funding_difference_7d", "funding_difference_24h", "best_day", "worst_day");
    private static final String NO_DAYS = "null where the legs have no 7 days, or no day, in common";

    private Scope scope() {
        return query.scope();
    }

    Missing all() {
        Set<String> shown = shownVenues();
        Set<String> concerned = query.form().concerned();
        Missing missing = snapshot.missing(scope())
                .only(left -> shown.contains(left.venue()))
                .in(query.form(), concerned == null ? null : joined(concerned));
        CarryPage.Lists.Counts counts = lists.counts();
        if (counts.complete() == 0) {
            missing = missing.and("rows", whyNone() + elsewhere());
        }
        if (ranking.whyNone() != null) {
            missing = missing.and("window_start_ms, window_end_ms", ranking.whyNone());
        }
        for (String asset : assetsWithoutAPair()) {
            missing = missing.and("rows", listings(asset));
        }
        if (scope().assets() != null && !unpaired.contracts().isEmpty()) {
            missing = missing.and("rows", "no pair has " + unpaired.named());
        }
        Integer least = query.minPositiveDays();
        if (least != null) {
            long unknown = ranking.incomplete().select(scope(), Integer.MAX_VALUE).first().stream()
                    .filter(pair -> pair.positiveDays() == null)
                    .count();
            missing = unknown == 0
                    ? missing
                    : missing.and(
                            "incomplete", "pairs without a known day, which min_positive_days leaves out: " + unknown);
        }
        missing = cut(missing, "rows", counts.complete() - lists.complete().size());
        missing = cut(
                missing, "incomplete", counts.incomplete() - lists.incomplete().size());
        missing = cut(missing, "refused", counts.refused() - lists.refused().size());
        if (ranking.leftOut() > 0) {
            missing = missing.and(
                    "rows", ranking.leftOut() + " assets whose pair table is not of this window are left out");
        }
        return noted(noted(noted(missing, CURRENT, NOT_OBSERVED), USUAL, NOT_30_DAYS), DAILY, NO_DAYS);
    }

    /** The fields of rates that fields of pairs are computed of. */
    private static Set<String> joined(Set<String> fields) {
        var rates = new TreeSet<String>();
        if (fields.stream()
                .anyMatch(field -> field.endsWith("funding_rate_8h")
                        || field.equals("current_difference_8h")
                        || field.equals("current_direction_agrees"))) {
            rates.add("funding_rate_8h");
        }
        if (fields.contains("price_ratio")) {
            rates.add("mark_price");
        }
        return rates;
    }

    private Missing noted(Missing missing, List<String> fields, String why) {
        return query.form().holdsAny(fields) ? missing.and(String.join(", ", fields), why) : missing;
    }

    private static Missing cut(Missing missing, String list, int cut) {
        return cut == 0 ? missing : missing.and(list, cut + " more than limit, not shown");
    }

    private Set<String> shownVenues() {
        var venues = new TreeSet<String>();
        Stream.concat(lists.complete().stream(), lists.incomplete().stream()).forEach(row -> {
            venues.add(row.pair().longLeg().venue());
            venues.add(row.pair().shortLeg().venue());
        });
        return venues;
    }

    private String whyNone() {
        String why = ranking.whyNone();
        if (why != null) {
            return why;
        }
        if (scope().venues().size() < 2) {
            return "a pair needs two exchanges: name at least two that are listed";
        }
        if (query.minPositiveDays() != null
                && ranking.complete().select(scope(), 0).count() > 0) {
            return "no complete pair in scope has so many positive days as min_positive_days";
        }
        if (lists.counts().incomplete() > 0) {
            return "no pair in scope is complete over 30 days; incomplete says of each why";
        }
        return lists.counts().refused() > 0
                ? "the prices of every two contracts in scope differ; refused shows both"
                : "no two exchanges in scope have a pair of these assets";
    }

    private String elsewhere() {
        int outside = lists.outside().complete();
        return switch (outside) {
            case 0 -> "";
            case 1 -> "; 1 complete pair lies outside the scope: venues=all shows it";
            default -> "; " + outside + " complete pairs lie outside the scope: venues=all shows them";
        };
    }

    /** Assets that were named and can be read, of which no list has a pair in scope; the first few. */
    private List<String> assetsWithoutAPair() {
        if (scope().assets() == null) {
            return List.of();
        }
        var without = new TreeSet<>(scope().assets());
        without.removeAll(ranking.complete().assets(scope()));
        without.removeAll(ranking.incomplete().assets(scope()));
        without.removeAll(ranking.refused().assets(scope()));
        return without.stream().limit(ASSETS_EXPLAINED).toList();
    }

    private String listings(String asset) {
        List<String> listing = snapshot.states(scope()).stream()
                .filter(state -> state.rows().hasAsset(asset))
                .map(state -> state.venue().id())
                .toList();
        return switch (listing.size()) {
            case 0 -> "no exchange in scope lists " + asset;
            case 1 -> "of the exchanges in scope only " + listing.getFirst() + " lists " + asset;
            default ->
                "of " + asset + " no pair has been put together yet, though " + listing.size()
                        + " exchanges in scope list it";
        };
    }
}
