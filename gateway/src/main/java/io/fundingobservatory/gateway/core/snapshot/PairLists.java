package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.form.Columns;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.pairs.PairRanking.Refused;
import io.fundingobservatory.gateway.core.pairs.RankedList;
import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.request.PairQuery;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The pairs of a query: the first of each list, and how many there are.
 *
 * @param outside how many more of each there are with a leg at a venue outside the scope
 */
record PairLists(
        List<PairRow> complete, List<PairRow> incomplete, List<Refused> refused, Counts counts, Counts outside) {
    record Counts(int complete, int incomplete, int refused) {
        static Counts of(PairRanking ranking, Scope scope) {
            return new Counts(
                    ranking.complete().select(scope, 0).count(),
                    ranking.incomplete().select(scope, 0).count(),
                    ranking.refused().select(scope, 0).count());
        }
    }

    static PairLists of(Snapshot snapshot, PairRanking ranking, PairQuery query) {
        Scope scope = query.scope();
        Counts counts = Counts.of(ranking, scope);
        Counts everywhere = Counts.of(ranking, scope.atEveryVenue());
        return new PairLists(
                first(snapshot, ranking.complete(), query, PairColumns.COMPLETE),
                first(snapshot, ranking.incomplete(), query, PairColumns.INCOMPLETE),
                ranking.refused().select(scope, query.limit()).first(),
                counts,
                new Counts(
                        everywhere.complete() - counts.complete(),
                        everywhere.incomplete() - counts.incomplete(),
                        everywhere.refused() - counts.refused()));
    }

    /** Another order than that of the ranking needs all pairs of the scope. */
    private static List<PairRow> first(
            Snapshot snapshot, RankedList<RankedPair> list, PairQuery query, Columns<PairRow> columns) {
        RowForm form = query.form();
        List<RankedPair> pairs = list.select(query.scope(), form.order() == null ? query.limit() : Integer.MAX_VALUE)
                .first();
        return columns.first(
                IntStream.range(0, pairs.size()).mapToObj(i -> new PairRow(snapshot, pairs.get(i), i + 1)), form);
    }
}
