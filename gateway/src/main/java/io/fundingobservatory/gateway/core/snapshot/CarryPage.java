package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.pairs.PairRanking.Refused;
import io.fundingobservatory.gateway.core.pairs.RankedList;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/carry}: the ranking, joined with the rates of the snapshot it is made from. */
public final class CarryPage {
    /** What a sum of funding rates leaves out: it is not a cash result. */
    private static final List<String> NOT_INCLUDED = List.of(
            "fees_of_four_trades",
            "spread_and_slippage",
            "collateral_and_borrowing",
            "price_drift_of_the_notional",
            "liquidity");

    private static final Missing.UnknownValue HISTORY_UNKNOWN = new Missing.UnknownValue(
            "settled_history_contracts, settled_history_contracts_read",
            "no exchange in scope publishes settled rates, or how far they are read is not known yet");

    private CarryPage() {}

    /** The pairs as they are requested. */
    public static Content render(Snapshot snapshot, PairRanking ranking, PairQuery query) {
        Scope scope = query.scope();
        RowForm form = query.form();
        Lists lists = Lists.of(snapshot, ranking, query);
        List<VenueState> states = snapshot.states(scope);
        History history = History.of(states);
        UnpairedContracts unpaired = UnpairedContracts.of(snapshot, scope);
        Missing missing = new MissingPairs(snapshot, ranking, query, lists, unpaired).all();
        Envelope envelope = snapshot.envelope(
                scope,
                lists.complete().size(),
                PairColumns.units(form),
                history.contracts() == null ? missing.and(HISTORY_UNKNOWN) : missing);
        return Content.tagged(Json.bytes(json -> {
            json.writeStartObject();
            // Before everything else: it says that the ranking still changes.
            json.writeBooleanField("provisional", states.stream().anyMatch(VenueState::historyBeingRead));
            envelope.taggedMembers(json);
            Json.number(json, "window_start_ms", ranking.windowStartMs());
            Json.number(json, "window_end_ms", ranking.windowEndMs());
            json.writeNumberField("limit", query.limit());
            Json.number(json, "settled_history_contracts", history.contracts());
            Json.number(json, "settled_history_contracts_read", history.read());
            Json.texts(json, "not_included", NOT_INCLUDED);
            counts(json, lists.counts(), "_count");
            counts(json, lists.outside(), "_outside_scope");
            json.writeNumberField("unpaired_contracts", unpaired.contracts().size());
            json.writeNumberField("rows_matched", lists.counts().complete());
            PairColumns.COMPLETE.write(json, "columns", "rows", lists.complete(), form);
            PairColumns.INCOMPLETE.write(json, "incomplete_columns", "incomplete", lists.incomplete(), form);
            PairColumns.REFUSED.write(json, "refused_columns", "refused", lists.refused(), form);
            json.writeEndObject();
        }));
    }

    private static void counts(JsonGenerator json, Lists.Counts counts, String of) throws IOException {
        json.writeNumberField("complete" + of, counts.complete());
        json.writeNumberField("incomplete" + of, counts.incomplete());
        json.writeNumberField("refused" + of, counts.refused());
    }

    /**
     * How much of the settled history of a scope has been read: the ranking still changes until it is all.
     *
     * @param contracts null while no exchange in scope has said how many it has; so is {@code read}
     */
    private record History(
            @Nullable Long contracts, @Nullable Long read) {
        static History of(List<VenueState> states) {
            var history = new History(null, null);
            for (VenueState state : states) {
                VenueStatus status = state.status();
                if (status != null && status.historyTotal() != null && status.historyDone() != null) {
                    history = new History(
                            sum(history.contracts, status.historyTotal()), sum(history.read, status.historyDone()));
                }
            }
            return history;
        }

        private static long sum(@Nullable Long known, long more) {
            return known == null ? more : known + more;
        }
    }

    /**
     * The pairs of a query: the first of each list, and how many there are.
     *
     * @param outside how many more of each there are with a leg at a venue outside the scope
     */
    record Lists(
            List<PairRow> complete, List<PairRow> incomplete, List<Refused> refused, Counts counts, Counts outside) {
        record Counts(int complete, int incomplete, int refused) {
            static Counts of(PairRanking ranking, Scope scope, PairQuery query) {
                return new Counts(
                        count(ranking.complete(), scope, query),
                        count(ranking.incomplete(), scope, query),
                        ranking.refused().select(scope, 0).count());
            }

            private static int count(RankedList<RankedPair> list, Scope scope, PairQuery query) {
                return query.minPositiveDays() == null
                        ? list.select(scope, 0).count()
                        : (int) list.select(scope, Integer.MAX_VALUE).first().stream()
                                .filter(pair -> query.selects(pair.positiveDays()))
                                .count();
            }
        }

        static Lists of(Snapshot snapshot, PairRanking ranking, PairQuery query) {
            Scope scope = query.scope();
            Counts counts = Counts.of(ranking, scope, query);
            Counts everywhere = Counts.of(ranking, scope.atEveryVenue(), query);
            return new Lists(
                    first(snapshot, ranking.complete(), query, PairColumns.COMPLETE),
                    first(snapshot, ranking.incomplete(), query, PairColumns.INCOMPLETE),
                    PairColumns.REFUSED.first(candidates(ranking.refused(), query).stream(), query.form()),
                    counts,
                    new Counts(
                            everywhere.complete() - counts.complete(),
                            everywhere.incomplete() - counts.incomplete(),
                            everywhere.refused() - counts.refused()));
        }

        private static List<PairRow> first(
                Snapshot snapshot, RankedList<RankedPair> list, PairQuery query, Columns<PairRow> columns) {
            List<RankedPair> pairs = candidates(list, query);
            return columns.first(
                    IntStream.range(0, pairs.size())
                            .filter(i -> query.selects(pairs.get(i).positiveDays()))
                            .mapToObj(i -> new PairRow(snapshot, pairs.get(i), i + 1)),
                    query.form());
        }

        /** Another order than that of the list, and a selection by a value, need all its entries in scope. */
        private static <E> List<E> candidates(RankedList<E> list, PairQuery query) {
            int most =
                    query.form().order() == null && query.minPositiveDays() == null ? query.limit() : Integer.MAX_VALUE;
            return list.select(query.scope(), most).first();
        }
    }
}
