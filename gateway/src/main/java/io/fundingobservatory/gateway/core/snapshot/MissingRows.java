package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.UnknownFields;
import io.fundingobservatory.gateway.core.rows.VenueState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the rows of a scope that a response does not contain, with reasons. */
public final class MissingRows {
    private MissingRows() {}

    /**
     * Returns what a scope does not contain. For whole venues, rows that were left out and fields that are
     * null are counted by venue. Where the request names assets or symbols, or selects rows by a value, only entries
     * that concern them are listed. These entries are null fields, and the named venues that have no such row.
     */
    public static Missing of(Snapshot snapshot, Scope scope) {
        var absent = new ArrayList<Missing.AbsentVenue>();
        var left = new ArrayList<Missing.LeftOut>();
        for (VenueState state : snapshot.states(scope)) {
            if (!state.present()) {
                absent.add(state.absence());
            }
            if (scope.wholeVenues()) {
                left.addAll(state.leftOut());
                state.rows()
                        .unknown()
                        .forEach((reason, count) ->
                                left.add(new Missing.LeftOut(state.venue().id(), reason, count)));
            } else {
                if (state.present()
                        && scope.namesSomeVenues()
                        && state.rows().rows(scope).isEmpty()) {
                    absent.add(new Missing.AbsentVenue(state.venue().id(), "no_matching_row", null));
                }
                if (state.present()
                        && (!scope.namesContracts()
                                || scope.unselected().byName().values().stream()
                                        .anyMatch(one -> state.rows().rows(one).isEmpty()))) {
                    left.addAll(state.faults());
                }
                left.addAll(state.unknownIn(scope));
            }
        }
        var missing = new Missing(List.copyOf(absent), List.copyOf(left), List.of(), false);
        return snapshot.source() == null ? missing.and(Missing.SOURCE_UNKNOWN) : missing;
    }

    /**
     * The same for rows in a form: null values count only where the response is about their field. That includes
     * the fields by which rows are selected.
     */
    static Missing of(Snapshot snapshot, Scope scope, RowForm form) {
        Set<String> concerned = form.concerned();
        if (concerned != null && scope.selects()) {
            concerned = new HashSet<>(concerned);
            concerned.addAll(scope.selection().fields());
        }
        return formed(of(snapshot, scope), form, concerned);
    }

    /**
     * The same in the form of a response.
     *
     * @param fields fields of rates that the response is about; null for all
     */
    static Missing formed(Missing missing, RowForm form, @Nullable Set<String> fields) {
        Missing about = fields == null
                ? missing
                : missing.only(left -> {
                    String field = UnknownFields.field(left.reason());
                    return field == null || fields.contains(field);
                });
        return form.byReason() ? about.grouped() : about;
    }
}
