package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Gzip;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.form.RateColumns;
import io.fundingobservatory.gateway.core.pairs.PairRanking;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.ServedSnapshots;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of {@code /api/v1/latest}. The plain list and the changes since one are put together from prepared rows: none is encoded again for a
 * request. Rows in another form are.
 */
final class LatestPage {
    private static final byte[] CLOSING = "]}".getBytes(StandardCharsets.US_ASCII);
    private static final int ROW_BYTES = 600;
    private static final Map<String, String> UNITS = RateColumns.ALL.units(Units.ENVELOPE, RowForm.WHOLE);

    private static final Segment COMMA = Segment.shared(List.of(new byte[] {','}));
    private static final Segment END = Segment.shared(List.of(CLOSING));
    private static final Segment DEFLATED_COMMA = Segment.shared(List.of(Gzip.segment(new byte[] {','})));
    private static final Segment DEFLATED_END = Segment.shared(List.of(Gzip.segment(CLOSING)));

    private LatestPage() {}

    static Content render(Snapshot snapshot, Scope scope) {
        return scope.wholeVenues() ? whole(snapshot, scope) : narrow(snapshot, scope);
    }

    /** The tag of all rows of some venues, without their bytes. */
    static String tag(Snapshot snapshot, Scope scope) {
        List<VenueRows> venues = shown(snapshot, scope);
        return tag(opening(snapshot, scope, venues), venues);
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

    private static byte[] opening(Snapshot snapshot, Scope scope, List<VenueRows> venues) {
        int count = venues.stream().mapToInt(VenueRows::size).sum();
        return opening(snapshot, scope, count, venues.size());
    }

    /** All rows of some venues: only what surrounds the rows is encoded and deflated here. */
    private static Content whole(Snapshot snapshot, Scope scope) {
        List<VenueRows> venues = shown(snapshot, scope);
        byte[] opening = opening(snapshot, scope, venues);
        List<Segment> identity = joined(opening, venues, VenueRows::identity, COMMA, END);
        List<Segment> deflated =
                joined(Gzip.segment(opening), venues, VenueRows::deflated, DEFLATED_COMMA, DEFLATED_END);
        List<Segment> gzip = Gzip.member(deflated, identity);
        // Nearly all clients request these two: one buffer each, which all their readers share.
        boolean prepared = scope.equals(Scope.DEFAULT) || scope.equals(Scope.ALL);
        return new Content(
                Content.JSON, tag(opening, venues), identity, prepared ? List.of(Segment.joined(gzip)) : gzip);
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

    /** Some rows of some exchanges: their bytes are copied out of those of the exchange. */
    private static Content narrow(Snapshot snapshot, Scope scope) {
        var rows = new ArrayList<EncodedRow>();
        int coverage = 0;
        for (VenueState state : snapshot.states(scope)) {
            List<EncodedRow> shown = state.rows().rows(scope);
            rows.addAll(shown);
            coverage += shown.isEmpty() ? 0 : 1;
        }
        return Content.of(Content.JSON, joined(opening(snapshot, scope, rows.size(), coverage), rows, CLOSING));
    }

    static Content formed(Snapshot snapshot, Scope scope, RowForm form) {
        List<List<EncodedRow>> venues = snapshot.states(scope).stream()
                .map(state -> state.rows().rows(scope))
                .filter(rows -> !rows.isEmpty())
                .toList();
        List<Rate> rows =
                RateColumns.ALL.first(venues.stream().flatMap(List::stream).map(EncodedRow::rate), form);
        Envelope envelope =
                envelope(snapshot, scope, rows.size(), venues.size(), form, RateColumns.ALL.units(Units.FORMED, form));
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
        List<VenueRows> venues = shown(snapshot, scope);
        byte[] opening = opening(snapshot, scope, venues);
        if (delta != null) {
            return Content.of(Content.JSON, joined(opening, delta.changed(), end));
        }
        List<Segment> identity = joined(opening, venues, VenueRows::identity, COMMA, Segment.of(end));
        List<Segment> deflated = joined(
                Gzip.segment(opening), venues, VenueRows::deflated, DEFLATED_COMMA, Segment.of(Gzip.segment(end)));
        String ownTag = Content.tag(List.of(Content.sha256((tag + since).getBytes(StandardCharsets.US_ASCII))));
        return new Content(Content.JSON, ownTag, identity, Gzip.member(deflated, identity));
    }

    /** A body with the bytes of rows between its opening and its end. */
    private static byte[] joined(byte[] opening, List<EncodedRow> rows, byte[] end) {
        var body = new ByteArrayOutputStream(opening.length + end.length + ROW_BYTES * rows.size());
        body.writeBytes(opening);
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(rows.get(i).json());
        }
        body.writeBytes(end);
        return body.toByteArray();
    }

    /** Everything up to the first row. */
    private static byte[] opening(Snapshot snapshot, Scope scope, int rows, int coverage) {
        Envelope envelope = envelope(snapshot, scope, rows, coverage, RowForm.WHOLE, UNITS);
        return Json.bytes(json -> {
            envelope.open(json);
            json.writeArrayFieldStart("rows");
        });
    }

    private static Envelope envelope(
            Snapshot snapshot, Scope scope, int rows, int coverage, RowForm form, Map<String, String> units) {
        Missing missing = MissingRows.of(snapshot, scope, form);
        if (scope.venues().isEmpty()) {
            missing = missing.and("rows", "none of the exchanges named is listed; /api/v1/venues lists them");
        } else if (rows == 0 && scope.wholeVenues()) {
            missing = missing.and(
                    "rows", "no exchange in scope has a row now; missing.venues says of each why, and since when");
        } else if (rows == 0) {
            missing = missing.and("rows", nothingFits(snapshot, scope));
        } else {
            for (var one : scope.byName().entrySet()) {
                String where = where(snapshot, scope, one.getKey(), one.getValue());
                missing = where.isEmpty() ? missing : missing.and("rows", "no row of " + one.getKey() + where);
            }
        }
        missing = andFaulty(missing, snapshot, scope);
        return snapshot.envelope(scope, coverage, rows, units, andTwoCoins(missing, snapshot, scope));
    }

    /**
     * Counts rows that are left out by a fault and may be of the names, at exchanges that lack one of these. Where some exchanges are
     * named, {@code missing.venues} has those without any row.
     */
    private static Missing andFaulty(Missing missing, Snapshot snapshot, Scope scope) {
        if (!scope.namesContracts()) {
            return missing;
        }
        Collection<Scope> names = scope.byName().values();
        List<VenueState> faulty = snapshot.states(scope).stream()
                .filter(state -> state.present() && state.faulty() > 0)
                .filter(state -> state.rows().rows(scope).isEmpty()
                        ? !scope.namesSomeVenues()
                        : names.stream().anyMatch(one -> state.rows().rows(one).isEmpty()))
                .toList();
        long rows = faulty.stream().mapToLong(VenueState::faulty).sum();
        return rows == 0
                ? missing
                : missing.and(
                        "rows",
                        rows + (rows == 1 ? " row of " : " rows of ") + faulty.size()
                                + (faulty.size() == 1 ? " exchange" : " exchanges") + " in scope"
                                + (rows == 1 ? " is" : " are") + " left out and may be of these names: "
                                + ids(faulty));
    }

    /** Names assets whose prices are too far apart for one coin, as the pairs do, where a request compares contracts of an asset. */
    private static Missing andTwoCoins(Missing missing, Snapshot snapshot, Scope scope) {
        PairRanking ranking = snapshot.ranking();
        Missing all = missing;
        if (scope.assets() != null && ranking != null) {
            for (String asset : ranking.refused().assets(scope)) {
                all = all.and(
                        "asset",
                        "prices of " + asset + " differ by more than 5 % between venues: two coins may have this name;"
                                + " refused in /api/v1/carry names the contracts");
            }
        }
        return all;
    }

    /** Where one of the names has no row although others have; empty where that is nowhere. */
    private static String where(Snapshot snapshot, Scope scope, String name, Scope alone) {
        if (snapshot.coverage(alone) == 0) {
            return " in scope" + elsewhere(snapshot, alone);
        }
        String without = scope.namesSomeVenues() && scope.assets() != null ? venuesWithout(snapshot, scope, name) : "";
        return without.isEmpty() ? "" : " at " + without;
    }

    /** Venues with rows of other assets in scope, and none of this one. */
    private static String venuesWithout(Snapshot snapshot, Scope scope, String asset) {
        return ids(snapshot.states(scope).stream()
                .filter(state -> !state.rows().hasAsset(asset)
                        && !state.rows().rows(scope).isEmpty())
                .toList());
    }

    private static String ids(List<VenueState> states) {
        return states.stream().map(state -> state.venue().id()).collect(Collectors.joining(", "));
    }

    /**
     * Explains an empty result. An asset may be listed only at venues outside the scope, so the text contains
     * how many rows it has there.
     */
    private static String nothingFits(Snapshot snapshot, Scope scope) {
        long out = snapshot.states(scope).stream()
                .filter(state -> !state.present())
                .count();
        return "no contract matches: assets takes coins (BTC), symbols takes the venues' own names"
                + (scope.classes() == null ? "" : ", asset_class takes what venues state themselves")
                + (out == 0
                        ? ""
                        : "; " + out + (out == 1 ? " of them shows" : " of them show")
                                + " no row at all now: missing.venues says why")
                + elsewhere(snapshot, scope);
    }

    private static String elsewhere(Snapshot snapshot, Scope scope) {
        int outside = 0;
        for (VenueState state : snapshot.states(Scope.ALL)) {
            outside += scope.venues().contains(state.venue().id())
                    ? 0
                    : state.rows().rows(scope).size();
        }
        return outside == 0
                ? ""
                : "; " + outside + (outside == 1 ? " row" : " rows")
                        + " at exchanges outside the scope: venues=all shows them";
    }
}
