package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.delta.ListDelta;
import io.fundingobservatory.gateway.core.delta.ListDelta.VenueNow;
import io.fundingobservatory.gateway.core.form.FormedRows;
import io.fundingobservatory.gateway.core.form.RowFields;
import io.fundingobservatory.gateway.core.form.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.RowKey;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies of {@code /api/v1/latest} that are not the plain list: rows in another form, and changes since a list. */
final class FormedPage {
    private FormedPage() {}

    /** The rows of a scope in a form. */
    static Content formed(Snapshot snapshot, Scope scope, RowForm form) {
        var encoded = new ArrayList<byte[]>();
        int coverage = 0;
        for (VenueState state : snapshot.states(scope)) {
            List<EncodedRow> rows = state.rows().rows(scope);
            rows.forEach(row -> encoded.add(row.json()));
            coverage += rows.isEmpty() ? 0 : 1;
        }
        FormedRows formed = FormedRows.of(encoded, form, RowFields.LATEST);
        Envelope envelope = LatestPage.envelope(snapshot, scope, formed.rows().size(), coverage, Units.LATEST_FORMED);
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            json.writeNumberField("rows_matched", formed.matched());
            formed.write(json);
            json.writeEndObject();
        }));
    }

    /** The venues of a scope as a delta compares them, sorted. */
    static List<VenueNow> venues(Snapshot snapshot, Scope scope) {
        return snapshot.states(scope).stream()
                .map(state -> new VenueNow(
                        state.venue().id(), state.rows().prints(), state.rows().rows()))
                .toList();
    }

    /**
     * The changes since a list, or the whole list where the former one is not known. The bytes up to the first row are those of the whole
     * list, {@code meta} included.
     *
     * @param delta the changes; null for the whole list
     * @param since the tag of the former list; null for the whole list
     * @param tag the tag of the whole list now
     */
    static Content changes(
            Snapshot snapshot, Scope scope, @Nullable ListDelta delta, @Nullable String since, String tag) {
        List<VenueRows> venues = snapshot.states(scope).stream()
                .filter(VenueState::present)
                .map(VenueState::rows)
                .toList();
        int count = venues.stream().mapToInt(VenueRows::size).sum();
        var body = new ByteArrayOutputStream();
        body.writeBytes(LatestPage.opening(snapshot, scope, count, venues.size()));
        List<EncodedRow> rows = delta == null
                ? venues.stream().flatMap(venue -> venue.rows().stream()).toList()
                : delta.changed();
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(rows.get(i).json());
        }
        body.write(']');
        byte[] rest = Json.bytes(json -> {
            json.writeStartObject();
            json.writeBooleanField("delta", delta != null);
            Json.text(json, "since", since);
            Json.text(json, "tag", tag);
            json.writeArrayFieldStart("gone");
            for (RowKey key : delta == null ? List.<RowKey>of() : delta.gone()) {
                json.writeStartObject();
                json.writeStringField("venue", key.venue());
                json.writeStringField("symbol", key.symbol());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
        // The members of a second object follow those of the first, which is still open.
        body.writeBytes(",".getBytes(StandardCharsets.US_ASCII));
        body.write(rest, 1, rest.length - 1);
        return Content.of(Content.JSON, body.toByteArray());
    }
}
