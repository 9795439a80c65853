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
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** The body of {@code /api/v1/carry}: the ranking, joined with the rates of the snapshot it is made from. */
final class CarryPage {
    /** What a sum of funding rates leaves out: it is not a cash result. */
    private static final List<String> NOT_INCLUDED = List.of(
            "fees_of_four_trades",
            "spread_and_slippage",
            "collateral_and_borrowing",
            "price_drift_of_the_notional",
            "liquidity");

    private CarryPage() {}

    static Content render(Snapshot snapshot, PairRanking ranking, PairQuery query) {
        Scope scope = query.scope();
        RowForm form = query.form();
        Lists lists = Lists.of(snapshot, ranking, query);
        Envelope envelope = snapshot.envelope(
                scope,
                snapshot.coverage(scope),
                lists.complete().size(),
                PairColumns.units(form),
                new MissingPairs(snapshot, ranking, query, lists).all());
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            Json.number(json, "window_start_ms", ranking.windowStartMs());
            Json.number(json, "window_end_ms", ranking.windowEndMs());
            json.writeNumberField("limit", query.limit());
            history(json, snapshot.states(scope));
            Json.texts(json, "not_included", NOT_INCLUDED);
            counts(json, lists.counts(), "_count");
            counts(json, lists.outside(), "_outside_scope");
            if (!form.plain()) {
                json.writeNumberField("rows_matched", lists.counts().complete());
            }
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

    /** How much of the settled history of the scope has been read: the ranking still changes until it is all. */
    private static void history(JsonGenerator json, List<VenueState> states) throws IOException {
        long contracts = 0;
        long read = 0;
        for (VenueState state : states) {
            VenueStatus status = state.status();
            if (status != null && status.historyTotal() != null && status.historyDone() != null) {
                contracts += status.historyTotal();
                read += status.historyDone();
            }
        }
        json.writeBooleanField("provisional", states.stream().anyMatch(VenueState::historyBeingRead));
        json.writeNumberField("settled_history_contracts", contracts);
        json.writeNumberField("settled_history_contracts_read", read);
    }

    /**
     * The pairs of a query: the first of each list, and how many there are.
     *
     * @param outside how many more of each there are with a leg at a venue outside the scope
     */
    record Lists(
            List<PairRow> complete, List<PairRow> incomplete, List<Refused> refused, Counts counts, Counts outside) {
        record Counts(int complete, int incomplete, int refused) {
            static Counts of(PairRanking ranking, Scope scope) {
                return new Counts(
                        ranking.complete().select(scope, 0).count(),
                        ranking.incomplete().select(scope, 0).count(),
                        ranking.refused().select(scope, 0).count());
            }
        }

        static Lists of(Snapshot snapshot, PairRanking ranking, PairQuery query) {
            Scope scope = query.scope();
            Counts counts = Counts.of(ranking, scope);
            Counts everywhere = Counts.of(ranking, scope.atEveryVenue());
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
                    IntStream.range(0, pairs.size()).mapToObj(i -> new PairRow(snapshot, pairs.get(i), i + 1)),
                    query.form());
        }

        /** Another order than that of the list needs all its entries in scope. */
        private static <E> List<E> candidates(RankedList<E> list, PairQuery query) {
            int most = query.form().order() == null ? query.limit() : Integer.MAX_VALUE;
            return list.select(query.scope(), most).first();
        }
    }
}
