package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One listed exchange in a snapshot: its rows, what its poller last said, and how good its estimates were.
 *
 * @param nowMs the instant of the snapshot, epoch ms UTC
 * @param rows none when the exchange is closed
 */
public record VenueState(
        ListedVenue venue,
        long nowMs,
        VenueRows rows,
        @Nullable VenueStatus status,
        @Nullable VenueQuality quality) {
    /** Rows that are no perpetual contract are not missing: they never belonged. */
    private static final String NOT_PERPETUAL = "not_perpetual";

    /** Reasons that most exchanges have all the time: rows without a market or rate; those of the last one are shown. */
    private static final Set<String> ORDINARY =
            Set.of("not_trading", "not_in_instrument_list", "no_funding_rate", "interval_contradicted");

    public boolean closed() {
        return venue.isClosed(nowMs);
    }

    public boolean present() {
        return rows.size() > 0;
    }

    /** Why there is no row of it, or why its last poll failed; null when there is nothing to say. */
    public @Nullable String reason() {
        if (closed()) {
            return "closed";
        }
        if (status == null) {
            return present() ? null : "not read yet";
        }
        if (status.reason() != null) {
            return status.reason();
        }
        if (present()) {
            return null;
        }
        if (status.rateKind() == null) {
            return "no reader in this release";
        }
        if (status.lastAttemptMs() == null) {
            return "not read yet";
        }
        return tooOld() > 0
                ? "every row is older than " + Rate.REMOVED_AFTER_MS / 1000 + " s"
                : "read, but no row has arrived";
    }

    /** Whether settled history of the last 31 days is still being read: what is known of its contracts still grows. */
    public boolean historyBeingRead() {
        if (status == null || !status.settledHistory() || !present()) {
            return false;
        }
        Long total = status.historyTotal();
        Long done = status.historyDone();
        return total == null || done == null || done < total;
    }

    /** Whether what it publishes allows a leg of 30 whole days. */
    public boolean canBeComplete() {
        return venue.historyReach().extent() != HistoryReach.Extent.NONE;
    }

    /**
     * How many rows of a scope leave a field null, by the reason. Rows that may be selected, but leave the deciding value null, are among
     * them.
     */
    SortedMap<String, Integer> nulls(Scope scope) {
        if (scope.wholeVenues()) {
            return rows.nulls();
        }
        SortedMap<String, Integer> nulls = Missing.nulls(rows.rows(scope), null);
        if (scope.selects()) {
            List<EncodedRow> undecided = rows.rows(scope.unselected()).stream()
                    .filter(row -> scope.selection().isUndecided(row.rate()))
                    .toList();
            nulls.putAll(Missing.nulls(undecided, scope.selection().fields()));
        }
        return nulls;
    }

    /** The names of a scope of which it has no row, whatever values are selected. */
    Set<String> without(Scope scope) {
        return scope.without(rows.rows(scope.unselected()).stream().map(EncodedRow::rate));
    }

    List<Missing.LeftOut> leftOut() {
        var left = new ArrayList<Missing.LeftOut>();
        if (status != null && !closed()) {
            new TreeMap<>(status.skipped()).forEach((reason, count) -> {
                if (count > 0 && !reason.equals(NOT_PERPETUAL)) {
                    left.add(new Missing.LeftOut(venue.id(), reason, count));
                }
            });
        }
        if (tooOld() > 0) {
            left.add(new Missing.LeftOut(venue.id(), "removed_too_old", tooOld()));
        }
        if (notProcessed() > 0) {
            left.add(new Missing.LeftOut(venue.id(), "not_processed", notProcessed()));
        }
        return left;
    }

    /** Rows that are left out by a fault and may be of any name: by a guard, unreadable, too old or not processed. */
    List<Missing.LeftOut> faults() {
        return leftOut().stream()
                .filter(left -> !ORDINARY.contains(left.reason()))
                .toList();
    }

    /**
     * Counts the rows of the last poll that streams rejects, or is behind with. A contract that was read before keeps its row meanwhile.
     * Only a complete poll counts: its rows are younger than 600 s for as long as they can be on their way.
     */
    private long notProcessed() {
        return status == null || status.reason() != null ? 0 : onTheirWay() - rows.size() - rows.removed();
    }

    /**
     * Counts the rows that are too old. The table forgets them within seconds, so they are the rows of the last complete poll that
     * are neither shown nor on their way.
     */
    private long tooOld() {
        long complete = closed() || status == null || status.symbols() == null
                ? 0
                : Objects.requireNonNullElse(status.completeSymbols(), status.symbols());
        return Math.max(rows.removed(), complete - Math.max(rows.size(), onTheirWay()));
    }

    /** Rows of a successful poll are on their way until it is as old as a stale row. */
    private long onTheirWay() {
        return closed()
                        || status == null
                        || status.symbols() == null
                        || status.lastSuccessMs() == null
                        || nowMs - status.lastSuccessMs() > Rate.STALE_AFTER_MS
                ? 0
                : status.symbols();
    }
}
