package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.form.RateColumns;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.ServedSnapshots;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies of {@code /api/v1/latest} that are not the plain list: rows in another form, and changes since a list. */
final class FormedPage {
    private FormedPage() {}

    static Content formed(Snapshot snapshot, Scope scope, RowForm form) {
        List<List<EncodedRow>> venues = snapshot.states(scope).stream()
                .map(state -> state.rows().rows(scope))
                .filter(rows -> !rows.isEmpty())
                .toList();
        List<Rate> rows =
                RateColumns.ALL.first(venues.stream().flatMap(List::stream).map(EncodedRow::rate), form);
        Envelope envelope = LatestPage.envelope(
                snapshot,
                scope,
                rows.size(),
                venues.size(),
                form,
                Units.only(Units.LATEST_FORMED, RateColumns.ALL.members(RowForm.WHOLE), RateColumns.ALL.members(form)));
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            json.writeNumberField(
                    "rows_matched", venues.stream().mapToInt(List::size).sum());
            RateColumns.ALL.write(json, "columns", "rows", rows, form);
            json.writeEndObject();
        }));
    }

    /**
     * The changes since a list, or the whole list where {@code delta} is null. The bytes up to the first row are those of the whole list.
     *
     * @param since the tag of the former list; null for the whole list
     * @param tag the tag of the whole list now
     */
    static Content changes(
            Snapshot snapshot, Scope scope, ServedSnapshots.@Nullable Delta delta, @Nullable String since, String tag) {
        List<VenueRows> venues = snapshot.states(scope).stream()
                .filter(VenueState::present)
                .map(VenueState::rows)
                .toList();
        int count = venues.stream().mapToInt(VenueRows::size).sum();
        List<EncodedRow> rows = delta == null
                ? venues.stream().flatMap(venue -> venue.rows().stream()).toList()
                : delta.changed();
        byte[] rest = Json.bytes(json -> {
            json.writeStartObject();
            json.writeBooleanField("delta", delta != null);
            Json.text(json, "since", since);
            Json.text(json, "tag", tag);
            Json.objects(json, "gone", delta == null ? List.<ContractKey>of() : delta.gone(), key -> {
                json.writeStringField("venue", key.venue());
                json.writeStringField("symbol", key.symbol());
            });
            json.writeEndObject();
        });
        // The members of a second object follow those of the first, which is still open.
        byte[] end = ByteBuffer.allocate(rest.length + 1)
                .put(new byte[] {']', ','})
                .put(rest, 1, rest.length - 1)
                .array();
        byte[] opening = LatestPage.opening(snapshot, scope, count, venues.size());
        return Content.of(Content.JSON, LatestPage.joined(opening, rows, end));
    }
}
