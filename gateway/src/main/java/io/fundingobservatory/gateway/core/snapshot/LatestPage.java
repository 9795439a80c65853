package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Gzip;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.ContractKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of {@code /api/v1/latest}. Lists of whole venues, as rows or as columns, are joined of what each venue has prepared. None of their
 * rows is encoded again for a request.
 */
public final class LatestPage {
    private static final byte[] CLOSING = "]}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = {','};
    private static final Segment COMMA = Segment.shared(List.of(BETWEEN));
    private static final Segment DEFLATED_COMMA = Segment.shared(List.of(Gzip.segment(BETWEEN)));
    private static final int ROW_BYTES = 600;

    private LatestPage() {}

    /** The list, which states its own tag. */
    static Content render(Snapshot snapshot, Scope scope, RowForm form) {
        if (isJoined(scope, form)) {
            List<VenueRows> venues = shown(snapshot, scope);
            byte[] opening = opening(snapshot, scope, form, count(venues));
            String tag = tag(opening, venues);
            Content.fillIn(opening, tag);
            return joined(tag, opening, venues, form, CLOSING, isCommon(scope));
        }
        List<EncodedRow> rows = rows(snapshot, scope);
        if (!form.formed()) {
            return Content.tagged(written(opening(snapshot, scope, form, rows.size()), rows, CLOSING));
        }
        List<EncodedRow> first = first(rows, form);
        return Content.tagged(Json.bytes(json -> {
            formed(json, snapshot, scope, form, rows.size(), first.size(), first);
            json.writeEndObject();
        }));
    }

    /**
     * What a list lacks of one that a client has, or the whole list where {@code former} is null. {@code meta} is that of the whole list.
     */
    public static Content changes(
            Snapshot snapshot, Scope scope, RowForm form, ServedLists.@Nullable Former former, String since) {
        String tag = snapshot.latest(scope, form).tag();
        if (former == null && isJoined(scope, form)) {
            List<VenueRows> venues = shown(snapshot, scope);
            byte[] opening = opening(snapshot, scope, form, count(venues));
            Content.fillIn(opening, tag);
            String own = Content.tag(List.of(Content.sha256((tag + "whole").getBytes(StandardCharsets.US_ASCII))));
            return joined(own, opening, venues, form, closing(json -> difference(json, null, null, tag)), false);
        }
        List<EncodedRow> rows = rows(snapshot, scope);
        List<EncodedRow> first = first(rows, form);
        ServedLists.Delta delta = former == null ? null : former.to(snapshot.venuesNow(scope), first);
        byte[] body = form.formed() || delta == null
                ? Json.bytes(json -> {
                    List<EncodedRow> sent = delta == null ? first : delta.changed();
                    formed(json, snapshot, scope, form, rows.size(), first.size(), sent);
                    difference(json, delta, since, tag);
                    json.writeEndObject();
                })
                : written(
                        opening(snapshot, scope, form, rows.size()),
                        delta.changed(),
                        closing(json -> difference(json, delta, since, tag)));
        Content.fillIn(body, tag);
        return Content.of(Content.JSON, body);
    }

    private static void difference(
            JsonGenerator json, ServedLists.@Nullable Delta delta, @Nullable String since, String tag)
            throws IOException {
        json.writeBooleanField("delta", delta != null);
        Json.text(json, "since", delta == null ? null : since);
        Json.text(json, "tag", tag);
        Json.objects(json, "gone", delta == null ? List.<ContractKey>of() : delta.gone(), key -> {
            json.writeStringField("venue", key.venue());
            json.writeStringField("symbol", key.symbol());
        });
    }

    /** The end of a body whose rows are still open, with further members of it. */
    private static byte[] closing(Json.Part members) {
        byte[] object = Json.bytes(json -> {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        });
        return ByteBuffer.allocate(object.length + 1)
                .put(new byte[] {']', ','})
                .put(object, 1, object.length - 1)
                .array();
    }

    private static boolean isJoined(Scope scope, RowForm form) {
        return scope.wholeVenues() && (form.equals(RowForm.WHOLE) || form.equals(RowForm.COLUMNS));
    }

    /** Nearly all clients request one of these two: one buffer each, which all their readers share. */
    private static boolean isCommon(Scope scope) {
        return scope.equals(Scope.DEFAULT) || scope.equals(Scope.ALL);
    }

    private static String tag(byte[] opening, List<VenueRows> venues) {
        var digests = new ArrayList<byte[]>(venues.size() + 1);
        digests.add(Content.sha256(opening));
        venues.forEach(rows -> digests.add(rows.digest()));
        return Content.tag(digests);
    }

    private static List<VenueRows> shown(Snapshot snapshot, Scope scope) {
        return snapshot.states(scope).stream()
                .filter(VenueState::present)
                .map(VenueState::rows)
                .toList();
    }

    private static int count(List<VenueRows> venues) {
        return venues.stream().mapToInt(VenueRows::size).sum();
    }

    private static List<EncodedRow> rows(Snapshot snapshot, Scope scope) {
        return snapshot.states(scope).stream()
                .flatMap(state -> state.rows().rows(scope).stream())
                .toList();
    }

    /** The keys of the rows of a list, in its order. */
    public static List<ContractKey> keys(Snapshot snapshot, Scope scope, RowForm form) {
        return first(rows(snapshot, scope), form).stream()
                .map(row -> row.rate().key())
                .toList();
    }

    private static List<EncodedRow> first(List<EncodedRow> rows, RowForm form) {
        return EncodedRow.COLUMNS.first(rows.stream(), form);
    }

    /** A body of prepared parts: only what surrounds the rows is deflated here. */
    private static Content joined(
            String tag, byte[] opening, List<VenueRows> venues, RowForm form, byte[] end, boolean common) {
        boolean columns = form.columns();
        List<Segment> identity =
                joined(opening, venues, columns ? VenueRows::columns : VenueRows::identity, COMMA, Segment.of(end));
        List<Segment> gzip = Gzip.member(
                joined(
                        Gzip.segment(opening),
                        venues,
                        columns ? VenueRows::deflatedColumns : VenueRows::deflated,
                        DEFLATED_COMMA,
                        Segment.of(Gzip.segment(end))),
                identity);
        return new Content(Content.JSON, tag, identity, common ? List.of(Segment.joined(gzip)) : gzip);
    }

    private static List<Segment> joined(
            byte[] opening, List<VenueRows> venues, Function<VenueRows, Segment> segment, Segment comma, Segment end) {
        var joined = new ArrayList<Segment>(2 * venues.size() + 2);
        joined.add(Segment.of(opening));
        for (VenueRows rows : venues) {
            if (joined.size() > 1) {
                joined.add(comma);
            }
            joined.add(segment.apply(rows));
        }
        joined.add(end);
        return joined;
    }

    /** A body with the bytes of rows between its opening and its end. */
    private static byte[] written(byte[] opening, List<EncodedRow> rows, byte[] end) {
        var body = new ByteArrayOutputStream(opening.length + end.length + ROW_BYTES * rows.size());
        body.writeBytes(opening);
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                body.writeBytes(BETWEEN);
            }
            body.writeBytes(rows.get(i).json());
        }
        body.writeBytes(end);
        return body.toByteArray();
    }

    /** Everything up to the first row. */
    private static byte[] opening(Snapshot snapshot, Scope scope, RowForm form, int rows) {
        return Json.bytes(json -> {
            json.writeStartObject();
            envelope(snapshot, scope, rows, form).taggedMembers(json);
            if (form.formed()) {
                json.writeNumberField("rows_matched", rows);
            }
            if (form.columns()) {
                Json.texts(json, "columns", EncodedRow.COLUMNS.names());
            }
            json.writeArrayFieldStart("rows");
        });
    }

    /** Everything up to the last row, in a form; {@code count} rows are in the whole list. */
    private static void formed(
            JsonGenerator json,
            Snapshot snapshot,
            Scope scope,
            RowForm form,
            int matched,
            int count,
            List<EncodedRow> rows)
            throws IOException {
        json.writeStartObject();
        envelope(snapshot, scope, count, form).taggedMembers(json);
        if (form.formed()) {
            json.writeNumberField("rows_matched", matched);
        }
        EncodedRow.COLUMNS.write(json, "columns", "rows", rows, form);
    }

    private static Envelope envelope(Snapshot snapshot, Scope scope, int rows, RowForm form) {
        Missing missing = snapshot.missing(scope).in(form, concerned(scope, form));
        if (scope.venues().isEmpty()) {
            missing = missing.and("rows", "none of the exchanges named is listed; /api/v1/venues lists them");
        } else if (rows == 0 && scope.wholeVenues()) {
            missing = missing.and("rows", "no exchange in scope has a row now; missing.venues has each reason");
        } else if (rows == 0 && snapshot.matched(scope.unselected()) > 0) {
            missing = missing.and(
                    "rows",
                    "no row in scope has the values of " + scope.selection().parameters() + elsewhere(snapshot, scope));
        } else if (rows == 0) {
            missing = missing.and(
                    "rows",
                    "listed at none of " + scope.venues().size() + " exchanges in scope"
                            + elsewhere(snapshot, scope.unselected()));
        } else {
            for (var one : scope.unselected().byName().entrySet()) {
                missing = snapshot.matched(one.getValue()) > 0
                        ? missing
                        : missing.and(
                                "rows",
                                "no row of " + one.getKey() + " in scope" + elsewhere(snapshot, one.getValue()));
            }
        }
        return snapshot.envelope(
                scope, rows, EncodedRow.COLUMNS.units(form.units(), form), andTwoCoins(missing, snapshot, scope));
    }

    /** The fields that a response is about; that includes those by which rows are selected. */
    private static @Nullable Set<String> concerned(Scope scope, RowForm form) {
        Set<String> fields = form.concerned();
        return fields == null
                ? null
                : Stream.concat(fields.stream(), scope.selection().fields().stream())
                        .collect(Collectors.toSet());
    }

    /** Names assets whose prices are too far apart for one coin, as the pairs do, where a request compares contracts of an asset. */
    private static Missing andTwoCoins(Missing missing, Snapshot snapshot, Scope scope) {
        PairRanking ranking = snapshot.ranking();
        Missing all = missing;
        Collection<String> refused = scope.assets() == null || ranking == null
                ? List.of()
                : ranking.refused().assets(scope);
        for (String asset : refused) {
            all = all.and(
                    "asset",
                    "prices of " + asset + " differ by more than 5 % between venues: two coins may have this name;"
                            + " refused in /api/v1/carry names the contracts");
        }
        return all;
    }

    private static String elsewhere(Snapshot snapshot, Scope scope) {
        int outside = snapshot.matched(scope.atEveryVenue()) - snapshot.matched(scope);
        return outside == 0 ? "" : "; listed at " + outside + " outside the scope: venues=all shows them";
    }
}
