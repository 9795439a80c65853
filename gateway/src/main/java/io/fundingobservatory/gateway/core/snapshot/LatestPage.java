package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Gzip;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.ServedLists;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.records.ContractKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code /api/v1/latest} for a scope in a form. Lists of whole venues, as rows or as columns, are joined of what each venue has prepared. None of their
 * rows is encoded again for a request.
 */
public record LatestPage(Snapshot snapshot, Scope scope, RowForm form) {
    private static final byte[] CLOSING = "]}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BETWEEN = {','};
    private static final Segment COMMA = Segment.shared(List.of(BETWEEN));
    private static final Segment DEFLATED_COMMA = Segment.shared(List.of(Gzip.segment(BETWEEN)));

    /** The list, which states its own tag. */
    Content list() {
        if (scope.wholeVenues() && form.isPrepared()) {
            return joined();
        }
        List<EncodedRow> rows = rows();
        return Content.tagged(body(rows, rows.size(), json -> {}));
    }

    /** Whether nearly all clients request it. */
    public boolean isCommon() {
        return scope.isCommon() && form.isPrepared();
    }

    /**
     * What the list lacks of one that a client has. {@code meta} is that of the whole list.
     *
     * @param tag that of the whole list
     */
    public Content changes(ServedLists.Former former, String since, String tag) {
        List<EncodedRow> rows = rows();
        ServedLists.Delta delta = former.to(venues(), rows);
        byte[] body = body(delta.changed(), rows.size(), json -> {
            json.writeBooleanField("delta", true);
            json.writeStringField("since", since);
            json.writeStringField("tag", tag);
            Json.objects(json, "gone", delta.gone(), key -> {
                json.writeStringField("venue", key.venue());
                json.writeStringField("symbol", key.symbol());
            });
        });
        Content.fillIn(body, tag);
        return Content.of(Content.JSON, body);
    }

    /** The rows of each venue in scope, also of those without any, sorted. */
    public List<VenueRows> venues() {
        return snapshot.states(scope).stream().map(VenueState::rows).toList();
    }

    /** The keys of the rows of the list; null where it has all rows of its venues. */
    public @Nullable List<ContractKey> someKeys() {
        return scope.wholeVenues() && form.limit() == null
                ? null
                : rows().stream().map(row -> row.rate().key()).toList();
    }

    /** The rows of the list, in its order. */
    private List<EncodedRow> rows() {
        return EncodedRow.COLUMNS.first(inScope(scope), form);
    }

    private Stream<EncodedRow> inScope(Scope of) {
        return snapshot.states(of).stream().flatMap(state -> state.rows().rows(of).stream());
    }

    /** A body of some rows of the list, which has {@code count}. */
    private byte[] body(List<EncodedRow> rows, int count, Json.Part more) {
        return Json.bytes(json -> {
            json.writeStartObject();
            envelope(count).taggedMembers(json);
            if (form.formed()) {
                json.writeNumberField("rows_matched", inScope(scope).count());
            }
            EncodedRow.COLUMNS.write(json, "columns", "rows", rows, form);
            more.write(json);
            json.writeEndObject();
        });
    }

    /** The list of what each venue has prepared: only what surrounds the rows is encoded and deflated here. */
    private Content joined() {
        List<VenueRows> venues = snapshot.states(scope).stream()
                .filter(VenueState::present)
                .map(VenueState::rows)
                .toList();
        List<VenueRows.Part> parts =
                venues.stream().map(rows -> rows.part(form.columns())).toList();
        // Everything up to the first row.
        byte[] empty = body(List.of(), venues.stream().mapToInt(VenueRows::size).sum(), json -> {});
        byte[] opening = Arrays.copyOf(empty, empty.length - CLOSING.length);
        String tag =
                Content.tag(Stream.concat(Stream.of(opening), venues.stream().map(VenueRows::digest))
                        .toList());
        Content.fillIn(opening, tag);
        List<Segment> identity = joined(
                Segment.of(opening), parts.stream().map(VenueRows.Part::plain).toList(), COMMA, Segment.of(CLOSING));
        List<Segment> gzip = Gzip.member(
                joined(
                        Segment.of(Gzip.segment(opening)),
                        parts.stream().map(VenueRows.Part::deflated).toList(),
                        DEFLATED_COMMA,
                        Segment.of(Gzip.segment(CLOSING))),
                identity);
        // Nearly all clients request these: one buffer each, which all their readers share.
        return new Content(Content.JSON, tag, identity, scope.isCommon() ? List.of(Segment.joined(gzip)) : gzip);
    }

    private static List<Segment> joined(Segment opening, List<Segment> parts, Segment comma, Segment end) {
        var joined = new ArrayList<Segment>(2 * parts.size() + 2);
        joined.add(opening);
        for (Segment part : parts) {
            if (joined.size() > 1) {
                joined.add(comma);
            }
            joined.add(part);
        }
        joined.add(end);
        return joined;
    }

    private Envelope envelope(int rows) {
        Missing missing = snapshot.missing(scope).in(form, concerned());
        Set<String> without = scope.namesContracts()
                ? scope.without(inScope(scope.unselected()).map(EncodedRow::rate))
                : Set.of();
        if (scope.venues().isEmpty()) {
            missing.and("rows", "none of the exchanges named is listed; /api/v1/venues lists them");
        } else if (!without.isEmpty()) {
            missing.and("rows", "no row in scope has " + String.join(", ", without));
        } else if (rows == 0 && scope.wholeVenues()) {
            missing.and("rows", "no exchange in scope has a row; missing.venues has the reason of each");
        } else if (rows == 0) {
            String list = scope.namesSomeVenues() ? "; missing.venues has the reason of each exchange" : "";
            missing.and("rows", "no row in scope fits what was named or selected" + list);
        }
        andTwoCoins(missing);
        return snapshot.envelope(scope, rows, EncodedRow.COLUMNS.units(form.units(), form), missing);
    }

    /** The fields that a response is about; that includes those by which rows are selected. */
    private @Nullable Set<String> concerned() {
        Set<String> fields = form.concerned();
        return fields == null
                ? null
                : Stream.concat(fields.stream(), scope.selection().fields().stream())
                        .collect(Collectors.toSet());
    }

    /** Names assets whose prices are too far apart for one coin, as the pairs do, where a request compares contracts of an asset. */
    private void andTwoCoins(Missing missing) {
        PairRanking ranking = snapshot.ranking();
        if (ranking != null && scope.assets() != null) {
            ranking.in(scope, ranking.refused()).stream()
                    .map(entry -> Scope.upper(entry.asset()))
                    .distinct()
                    .sorted()
                    .forEach(asset -> missing.and(
                            "asset",
                            "prices of " + asset
                                    + " differ by more than 5 % between venues: two coins may have this name;"
                                    + " refused in /api/v1/carry names the contracts"));
        }
    }
}
