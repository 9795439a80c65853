package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.Rate;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The body of {@code /api/v1/latest}, put together from prepared fragments: rows are never encoded again for a request. */
final class LatestPage {
    private static final byte[] COMMA = {','};
    private static final byte[] COMMA_STORED = Gzip.stored(COMMA, false);
    private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_STORED = Gzip.stored(END, true);

    private LatestPage() {}

    static Content render(Snapshot snapshot, Scope scope) {
        return scope.wholeVenues() ? whole(snapshot, scope) : narrow(snapshot, scope);
    }

    /** All rows of some exchanges: only what stands before the rows is new. */
    private static Content whole(Snapshot snapshot, Scope scope) {
        var fragments = new ArrayList<VenueRows>();
        int rows = 0;
        for (VenueState state : snapshot.states(scope)) {
            if (state.present()) {
                fragments.add(state.fragment());
                rows += state.fragment().size();
            }
        }
        byte[] opening = opening(snapshot, scope, rows, fragments.size(), List.of());
        var identity = new ArrayList<byte[]>(2 * fragments.size() + 2);
        var deflated = new ArrayList<byte[]>(2 * fragments.size() + 2);
        var digests = new ArrayList<byte[]>(fragments.size() + 1);
        identity.add(opening);
        deflated.add(Gzip.part(opening));
        digests.add(Content.sha256(opening));
        for (VenueRows fragment : fragments) {
            if (digests.size() > 1) {
                identity.add(COMMA);
                deflated.add(COMMA_STORED);
            }
            identity.add(fragment.json());
            deflated.add(fragment.deflated());
            digests.add(fragment.digest());
        }
        identity.add(END);
        deflated.add(END_STORED);
        return new Content(
                Content.JSON, Content.tag(digests), identity, Map.of(Coding.GZIP, Gzip.join(deflated, identity)));
    }

    /** Some rows of some exchanges: their bytes are copied out of the fragments. */
    private static Content narrow(Snapshot snapshot, Scope scope) {
        var body = new ByteArrayOutputStream();
        var left = new ArrayList<Missing.LeftOut>();
        int rows = 0;
        int coverage = 0;
        for (VenueState state : snapshot.states(scope)) {
            VenueRows fragment = state.fragment();
            var shown = new ArrayList<Rate>();
            for (VenueRows.Row row : fragment.rows()) {
                if (scope.holds(row.rate())) {
                    if (body.size() > 0) {
                        body.write(',');
                    }
                    fragment.copy(row, body);
                    shown.add(row.rate());
                }
            }
            rows += shown.size();
            coverage += shown.isEmpty() ? 0 : 1;
            UnknownFields.count(shown)
                    .forEach((reason, count) ->
                            left.add(new Missing.LeftOut(state.venue().id(), reason, count)));
        }
        byte[] opening = opening(snapshot, scope, rows, coverage, left);
        var whole = new ByteArrayOutputStream(opening.length + body.size() + END.length);
        whole.writeBytes(opening);
        whole.writeBytes(body.toByteArray());
        whole.writeBytes(END);
        return Content.of(Content.JSON, whole.toByteArray());
    }

    private static byte[] opening(
            Snapshot snapshot, Scope scope, int rows, int coverage, List<Missing.LeftOut> unknownInRows) {
        Missing missing = snapshot.missing(scope, unknownInRows);
        if (scope.venues().isEmpty()) {
            missing = missing.and(new Missing.UnknownValue("rows", "none of the exchanges named is listed"));
        } else if (rows == 0 && scope.wholeVenues()) {
            missing = missing.and(new Missing.UnknownValue(
                    "rows", "no exchange in scope has a row now; missing.venues says of each why, and since when"));
        }
        var envelope = new Envelope(
                snapshot.generatedAtMs(),
                snapshot.source(),
                coverage,
                rows,
                Units.LATEST,
                missing,
                new TreeMap<>(scope.unreadable()));
        return Json.bytes(json -> {
            envelope.open(json);
            json.writeArrayFieldStart("rows");
        });
    }
}
