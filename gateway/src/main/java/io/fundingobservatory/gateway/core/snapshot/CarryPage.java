package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.pairs.PairRanking.Refused;
import io.fundingobservatory.gateway.core.pairs.RankedList;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/carry}: the ranking, joined with the rates of the snapshot it is made from, and what it does not contain. */
public final class CarryPage {
    /** What a sum of funding rates leaves out: it is not a cash result. */
    private static final List<String> NOT_INCLUDED = List.of(
            "fees_of_four_trades",
            "spread_and_slippage",
            "collateral_and_borrowing",
            "price_drift_of_the_notional",
            "liquidity");

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

    private final Snapshot snapshot;
    private final PairRanking ranking;
    private final Scope scope;
    private final Query query;
    private final RowForm form;
    private final Listed<PairRow> complete;
    private final Listed<PairRow> incomplete;
    private final Listed<Refused> refused;
    private final UnpairedContracts unpaired;

    private CarryPage(Snapshot snapshot, Scope scope, Query query) {
        this.snapshot = snapshot;
        this.ranking = Objects.requireNonNull(snapshot.ranking());
        this.scope = scope;
        this.query = query;
        this.form = query.form();
        this.complete = pairs(ranking.complete(), PairColumns.COMPLETE);
        this.incomplete = pairs(ranking.incomplete(), PairColumns.INCOMPLETE);
        List<Refused> shown = ranking.refused()
                .select(scope, form.order() == null ? limit() : Integer.MAX_VALUE)
                .first();
        this.refused = new Listed<>(
                PairColumns.REFUSED.first(shown.stream(), form),
                ranking.refused().select(scope, 0).count(),
                ranking.refused().select(scope.atEveryVenue(), 0).count());
        this.unpaired = UnpairedContracts.of(snapshot, scope);
    }

    /**
     * The body of a snapshot that has a ranking.
     *
     * @param scope the venues that both legs must be at, and the assets
     * @param query selects pairs, and gives the form of each list; it has a limit
     */
    public static Content render(Snapshot snapshot, Scope scope, Query query) {
        return new CarryPage(snapshot, scope, query).content();
    }

    private int limit() {
        return Objects.requireNonNull(form.limit());
    }

    /**
     * The pairs of one list that are returned.
     *
     * @param count how many there are in scope
     * @param everywhere how many there are at all venues
     */
    private record Listed<E>(List<E> first, int count, int everywhere) {
        int outside() {
            return everywhere - count;
        }

        int cut() {
            return count - first.size();
        }
    }

    private Listed<PairRow> pairs(RankedList<RankedPair> list, Columns<PairRow> columns) {
        boolean selects = query.minPositiveDays() != null;
        // Another order than that of the list, and a selection by a value, need all its entries in scope.
        int most = selects || form.order() != null ? Integer.MAX_VALUE : limit();
        RankedList.Selection<RankedPair> inScope = list.select(scope, most);
        List<RankedPair> pairs = inScope.first();
        Stream<PairRow> selected = IntStream.range(0, pairs.size())
                .filter(i -> query.selects(pairs.get(i).positiveDays()))
                .mapToObj(i -> new PairRow(snapshot, pairs.get(i), i + 1));
        return new Listed<>(
                columns.first(selected, form),
                count(inScope),
                count(list.select(scope.atEveryVenue(), selects ? Integer.MAX_VALUE : 0)));
    }

    private int count(RankedList.Selection<RankedPair> of) {
        return query.minPositiveDays() == null
                ? of.count()
                : (int) of.first().stream()
                        .filter(pair -> query.selects(pair.positiveDays()))
                        .count();
    }

    private Content content() {
        List<VenueState> states = snapshot.states(scope);
        Long contracts = history(states, VenueStatus::historyTotal);
        Missing missing = missing();
        if (contracts == null) {
            missing = missing.and(
                    "settled_history_contracts, settled_history_contracts_read",
                    "no exchange in scope publishes settled rates, or how far they are read is not known yet");
        }
        Envelope envelope = snapshot.envelope(scope, complete.first().size(), PairColumns.units(form), missing);
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            // Before everything else: it says that the ranking still changes.
            json.writeBooleanField(
                    "provisional",
                    ranking.windowEndMs() == null || states.stream().anyMatch(VenueState::historyBeingRead));
            envelope.taggedMembers(json);
            Json.number(json, "window_start_ms", ranking.windowStartMs());
            Json.number(json, "window_end_ms", ranking.windowEndMs());
            json.writeNumberField("limit", limit());
            Json.number(json, "settled_history_contracts", contracts);
            Json.number(json, "settled_history_contracts_read", history(states, VenueStatus::historyDone));
            Json.texts(json, "not_included", NOT_INCLUDED);
            counts(json, "_count", Listed::count);
            counts(json, "_outside_scope", Listed::outside);
            json.writeNumberField("unpaired_contracts", unpaired.contracts().size());
            json.writeNumberField("rows_matched", complete.count());
            PairColumns.COMPLETE.write(json, "columns", "rows", complete.first(), form);
            PairColumns.INCOMPLETE.write(json, "incomplete_columns", "incomplete", incomplete.first(), form);
            PairColumns.REFUSED.write(json, "refused_columns", "refused", refused.first(), form);
            json.writeEndObject();
        }));
    }

    private void counts(JsonGenerator json, String of, ToIntFunction<Listed<?>> count) throws IOException {
        json.writeNumberField("complete" + of, count.applyAsInt(complete));
        json.writeNumberField("incomplete" + of, count.applyAsInt(incomplete));
        json.writeNumberField("refused" + of, count.applyAsInt(refused));
    }

    /** The sum of a count over the exchanges whose settled history has a known size; null where there is none. */
    private static @Nullable Long history(List<VenueState> states, Function<VenueStatus, @Nullable Long> count) {
        List<Long> counts = states.stream()
                .map(VenueState::status)
                .filter(status -> status != null && status.historyTotal() != null && status.historyDone() != null)
                .map(status -> Objects.requireNonNull(count.apply(Objects.requireNonNull(status))))
                .toList();
        return counts.isEmpty()
                ? null
                : counts.stream().mapToLong(Long::longValue).sum();
    }

    private Missing missing() {
        Set<String> shown = shownVenues();
        Set<String> concerned = form.concerned();
        Missing missing = snapshot.missing(scope)
                .only(left -> shown.contains(left.venue()))
                .in(form, concerned == null ? null : joined(concerned));
        if (complete.count() == 0) {
            missing = missing.and("rows", whyNone() + elsewhere());
        }
        if (ranking.whyNone() != null) {
            missing = missing.and("window_start_ms, window_end_ms", ranking.whyNone());
        }
        for (String asset : assetsWithoutAPair()) {
            missing = missing.and("rows", listings(asset));
        }
        if (scope.assets() != null && !unpaired.contracts().isEmpty()) {
            missing = missing.and("rows", "no pair has " + unpaired.named());
        }
        Integer least = query.minPositiveDays();
        if (least != null) {
            long unknown = ranking.incomplete().select(scope, Integer.MAX_VALUE).first().stream()
                    .filter(pair -> pair.positiveDays() == null)
                    .count();
            missing = unknown == 0
                    ? missing
                    : missing.and(
                            "incomplete", "pairs without a known day, which min_positive_days leaves out: " + unknown);
        }
        missing = cut(missing, "rows", complete.cut());
        missing = cut(missing, "incomplete", incomplete.cut());
        missing = cut(missing, "refused", refused.cut());
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
        return form.holdsAny(fields) ? missing.and(String.join(", ", fields), why) : missing;
    }

    private static Missing cut(Missing missing, String list, int cut) {
        return cut == 0 ? missing : missing.and(list, cut + " more than limit, not shown");
    }

    private Set<String> shownVenues() {
        var venues = new TreeSet<String>();
        Stream.concat(complete.first().stream(), incomplete.first().stream()).forEach(row -> {
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
        if (scope.venues().size() < 2) {
            return "a pair needs two exchanges: name at least two that are listed";
        }
        if (query.minPositiveDays() != null
                && ranking.complete().select(scope, 0).count() > 0) {
            return "no complete pair in scope has so many positive days as min_positive_days";
        }
        if (incomplete.count() > 0) {
            return "no pair in scope is complete over 30 days; incomplete says of each why";
        }
        return refused.count() > 0
                ? "the prices of every two contracts in scope differ; refused shows both"
                : "no two exchanges in scope have a pair of these assets";
    }

    private String elsewhere() {
        int outside = complete.outside();
        return switch (outside) {
            case 0 -> "";
            case 1 -> "; 1 complete pair lies outside the scope: venues=all shows it";
            default -> "; " + outside + " complete pairs lie outside the scope: venues=all shows them";
        };
    }

    /** Assets that were named and can be read, of which no list has a pair in scope; the first few. */
    private List<String> assetsWithoutAPair() {
        if (scope.assets() == null) {
            return List.of();
        }
        var without = new TreeSet<>(scope.assets());
        without.removeAll(ranking.complete().assets(scope));
        without.removeAll(ranking.incomplete().assets(scope));
        without.removeAll(ranking.refused().assets(scope));
        return without.stream().limit(ASSETS_EXPLAINED).toList();
    }

    private String listings(String asset) {
        List<String> listing = snapshot.states(scope).stream()
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
