package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.gateway.core.snapshot.PairRanking.Entry;
import io.fundingobservatory.gateway.core.snapshot.PairRanking.Refused;
import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    private static final String IN_SCOPE = " pairs in this response's scope";
    private static final String OUTSIDE = " pairs with a leg at an exchange outside this response's scope";

    /** What stands between the envelope and the lists. */
    private static final Columns<CarryPage> HEAD = new Columns<>(
            Columns.Part.<CarryPage>ofRow()
                    .number("window_start_ms", Field.EPOCH_MS + ", not included", page -> page.ranking.windowStartMs())
                    .number("window_end_ms", Field.EPOCH_MS + ", included", page -> page.ranking.windowEndMs())
                    .number("limit", "entries of each list at most", page -> page.form.limit())
                    .number(
                            "settled_history_contracts",
                            "contracts in scope whose settled rates of the last 31 days are read",
                            page -> page.history(VenueStatus::historyTotal))
                    .number(
                            "settled_history_contracts_read",
                            "contracts in scope of which all that the exchange shows has been read",
                            page -> page.history(VenueStatus::historyDone))
                    .field("not_included", page -> NOT_INCLUDED)
                    .number("complete_count", "complete" + IN_SCOPE, page -> page.complete.count())
                    .number("incomplete_count", "incomplete" + IN_SCOPE, page -> page.incomplete.count())
                    .number("refused_count", "refused" + IN_SCOPE, page -> page.refused.count())
                    .number("complete_outside_scope", "complete" + OUTSIDE, page -> page.complete.outside())
                    .number("incomplete_outside_scope", "incomplete" + OUTSIDE, page -> page.incomplete.outside())
                    .number("refused_outside_scope", "refused" + OUTSIDE, page -> page.refused.outside())
                    .number(
                            "unpaired_contracts",
                            "contracts in scope without another one of the same asset and type at a second exchange in scope;"
                                    + " quanto never has one",
                            CarryPage::unpairedContracts)
                    .number("rows_matched", "complete" + IN_SCOPE + ", before limit", page -> page.complete.count())
                    .columns(),
            Set.of());

    private final Snapshot snapshot;
    private final PairRanking ranking;
    private final Scope scope;
    private final Query query;
    private final RowForm form;
    private final List<VenueState> states;
    private final Listed<RankedPair, PairRow> complete;
    private final Listed<RankedPair, PairRow> incomplete;
    private final Listed<Refused, Refused> refused;

    private CarryPage(Snapshot snapshot, Scope scope, Query query) {
        this.snapshot = snapshot;
        this.ranking = Objects.requireNonNull(snapshot.ranking());
        this.scope = scope;
        this.query = query;
        this.form = query.form();
        this.states = snapshot.states(scope);
        Predicate<RankedPair> selected = pair -> query.selects(pair.positiveDays());
        this.complete = listed(ranking.complete(), selected, this::row, PairRow.COMPLETE);
        this.incomplete = listed(ranking.incomplete(), selected, this::row, PairRow.INCOMPLETE);
        this.refused = listed(ranking.refused(), entry -> true, (entry, place) -> entry, PairRow.REFUSED);
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

    /**
     * The entries of one list.
     *
     * @param inScope those at venues in scope
     * @param first those of them that are returned
     * @param count how many of them are selected
     * @param outside how many are selected with a leg at another venue
     */
    private record Listed<E extends Entry, V>(List<E> inScope, List<V> first, int count, int outside) {}

    /** Selects entries of a list, and makes rows of the first ones in the order of the form. A row has its place in scope, from 1. */
    private <E extends Entry, V> Listed<E, V> listed(
            List<E> list, Predicate<E> selected, BiFunction<E, Integer, V> row, Columns<V> columns) {
        List<E> everywhere = ranking.in(scope.atEveryVenue(), list);
        List<E> inScope = ranking.in(scope, everywhere);
        Stream<V> rows = IntStream.range(0, inScope.size())
                .filter(i -> selected.test(inScope.get(i)))
                .mapToObj(i -> row.apply(inScope.get(i), i + 1));
        int count = count(inScope, selected);
        return new Listed<>(inScope, columns.first(rows, form), count, count(everywhere, selected) - count);
    }

    /** There are some 220,000 entries: they are looked at only where the request selects by their values. */
    private <E> int count(List<E> entries, Predicate<E> selected) {
        return query.minPositiveDays() == null
                ? entries.size()
                : (int) entries.stream().filter(selected).count();
    }

    private PairRow row(RankedPair pair, int place) {
        long windowEndMs =
                Objects.requireNonNull(ranking.shown().get(pair.asset())).windowEndMs();
        return new PairRow(snapshot, pair, windowEndMs, place);
    }

    private Content content() {
        Map<String, String> units = HEAD.units(Map.of(), RowForm.WHOLE);
        for (Columns<?> list : List.of(PairRow.REFUSED, PairRow.INCOMPLETE, PairRow.COMPLETE)) {
            units = list.units(units, form);
        }
        Envelope envelope = snapshot.envelope(scope, complete.first().size(), units, missing());
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            // Before everything else: it says that the ranking still changes.
            json.writeBooleanField(
                    "provisional",
                    ranking.windowEndMs() == null || states.stream().anyMatch(VenueState::historyBeingRead));
            envelope.taggedMembers(json);
            HEAD.members(json, this);
            PairRow.COMPLETE.write(json, "columns", "rows", complete.first(), form);
            PairRow.INCOMPLETE.write(json, "incomplete_columns", "incomplete", incomplete.first(), form);
            PairRow.REFUSED.write(json, "refused_columns", "refused", refused.first(), form);
            json.writeEndObject();
        }));
    }

    /** The sum of a count over the exchanges whose settled history has a known size; null where there is none. */
    private @Nullable Long history(Function<VenueStatus, @Nullable Long> count) {
        return states.stream()
                .map(VenueState::status)
                .filter(status -> status != null && status.historyTotal() != null && status.historyDone() != null)
                .map(status -> Objects.requireNonNull(count.apply(Objects.requireNonNull(status))))
                .reduce(Long::sum)
                .orElse(null);
    }

    /**
     * Counts contracts that no pair in scope can have. Linear contracts of an asset pair with linear ones at other exchanges, inverse with
     * inverse, and quanto with none.
     */
    private int unpairedContracts() {
        Map<ContractType, Map<String, List<Rate>>> contracts = states.stream()
                .flatMap(state -> state.rows().rows(scope).stream())
                .map(EncodedRow::rate)
                .collect(Collectors.groupingBy(Rate::contractType, Collectors.groupingBy(Rate::asset)));
        return contracts.entrySet().stream()
                .flatMap(type -> type.getValue().values().stream()
                        .filter(rows -> type.getKey() == ContractType.QUANTO
                                || rows.stream().map(Rate::venue).distinct().count() < 2))
                .mapToInt(List::size)
                .sum();
    }

    private Missing missing() {
        Set<String> shown = Stream.of(complete, incomplete)
                .flatMap(list -> list.first().stream())
                .flatMap(PairRow::venues)
                .collect(Collectors.toSet());
        Set<String> concerned = form.concerned();
        Missing missing = snapshot.missing(scope)
                .onlyOf(shown)
                .in(form, concerned == null ? null : joined(concerned))
                .andNulls(form, PairRow.COMPLETE, PairRow.INCOMPLETE);
        String none = ranking.whyNone();
        if (none != null) {
            missing.and("rows", none).and("window_start_ms, window_end_ms", none);
        } else if (scope.venues().size() < 2) {
            missing.and("rows", "a pair needs two exchanges: name at least two that are listed");
        } else if (complete.count() == 0) {
            missing.and("rows", whyNoCompletePair());
        }
        Set<String> without = assetsWithoutPair();
        if (!without.isEmpty()) {
            missing.and("rows", "no pair in scope has " + String.join(", ", without));
        }
        if (ranking.leftOut() > 0) {
            missing.and("rows", ranking.leftOut() + " assets whose pair table is not of this window are left out");
        }
        if (history(VenueStatus::historyTotal) == null) {
            missing.and(
                    "settled_history_contracts, settled_history_contracts_read",
                    "no exchange in scope publishes settled rates, or how far they are read is not known yet");
        }
        long unknown = query.minPositiveDays() == null
                ? 0
                : incomplete.inScope().stream()
                        .filter(pair -> pair.positiveDays() == null)
                        .count();
        if (unknown > 0) {
            missing.and("incomplete", "pairs without a known day, which min_positive_days leaves out: " + unknown);
        }
        return missing;
    }

    /** Why the first list is empty, and which others are not. */
    private String whyNoCompletePair() {
        String others = Stream.of(incomplete.count() > 0 ? "incomplete" : "", refused.count() > 0 ? "refused" : "")
                .filter(list -> !list.isEmpty())
                .collect(Collectors.joining(" and "));
        return (query.minPositiveDays() == null
                        ? "no two exchanges in scope have such a complete pair"
                        : "no complete pair in scope has at least " + query.minPositiveDays()
                                + " positive days, as min_positive_days requires")
                + (others.isEmpty() ? "" : "; pairs in scope are listed in " + others);
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

    /** Assets that were named and can be read, of which no list has a pair in scope. */
    private Set<String> assetsWithoutPair() {
        Set<String> named = scope.assets();
        if (named == null) {
            return Set.of();
        }
        var without = new TreeSet<>(named);
        Stream.of(complete, incomplete, refused)
                .flatMap(list -> list.inScope().stream())
                .forEach(entry -> without.remove(Scope.upper(entry.asset())));
        return without;
    }
}
