package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The body of {@code /api/v1/venues}: one row per listed exchange, read or not. */
public final class VenuesPage {
    private static final String NOT_COMPARED =
            "null where the exchange publishes no settled rates (settled_history is false), or"
                    + " none of them has met an estimate of ours in the last 30 days; estimate_error_settlements counts those that have";
    private static final String NO_HISTORY =
            "null where the exchange publishes no settled rates, or how far they are read is not known yet";
    private static final String NO_PROBLEM =
            "null where nothing keeps settled rates from being read, where the exchange has not told us to wait, and where what it"
                    + " publishes does not end after a number of rows";
    private static final String NOT_ENDING = "null where the exchange has announced no end of its trading";
    private static final String NO_ROWS = "null where the exchange has no row or no reader; its reason says which";

    private VenuesPage() {}

    /** The body of one snapshot. */
    public static Content render(Snapshot snapshot) {
        List<VenueState> states = snapshot.states(Scope.ALL);
        Missing missing = snapshot.missing(Scope.ALL)
                .and(new Missing.UnknownValue("estimate_error_p50, estimate_error_p95", NOT_COMPARED))
                .and(new Missing.UnknownValue("settled_history_contracts, settled_history_contracts_read", NO_HISTORY))
                .and(new Missing.UnknownValue(
                        "history_problem, closed_until_ms, settled_history_newest_rows", NO_PROBLEM))
                .and(new Missing.UnknownValue("closed_at_ms, closed_at_utc, closed_announcement", NOT_ENDING))
                .and(new Missing.UnknownValue(
                        "last_observed_ms, rate_kind, age_p50_s, age_p95_s, settled_history, docs", NO_ROWS));
        var envelope = new Envelope(
                snapshot.generatedAtMs(),
                snapshot.source(),
                snapshot.coverage(),
                states.size(),
                Units.VENUES,
                missing,
                Map.of());
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            json.writeArrayFieldStart("rows");
            for (VenueState state : states) {
                row(json, state, snapshot.generatedAtMs());
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    private static void row(JsonGenerator json, VenueState state, long nowMs) throws IOException {
        VenueRows held = state.rows();
        VenueStatus status = state.status();
        json.writeStartObject();
        json.writeStringField("venue", state.venue().id());
        json.writeStringField("name", state.venue().name());
        json.writeStringField("kind", state.venue().kind().name().toLowerCase(Locale.ROOT));
        json.writeBooleanField("default_scope", state.venue().defaultScope());
        Json.text(json, "listed_since", state.venue().listedSince().toString());
        ListedVenue.Closing closing = state.venue().closing();
        Long closedAtMs = closing == null ? null : (Long) closing.atMs();
        Json.number(json, "closed_at_ms", closedAtMs);
        Json.text(json, "closed_at_utc", Json.utc(closedAtMs));
        Json.text(
                json,
                "closed_announcement",
                closing == null ? null : closing.announcement().toString());
        json.writeBooleanField("in_current_observation", state.present());
        json.writeNumberField("symbols", held.size());
        long[] observed = held.rows().stream()
                .mapToLong(row -> row.rate().observedAtMs())
                .sorted()
                .toArray();
        Long lastSuccess = status == null ? null : status.lastSuccessMs();
        Json.number(json, "last_observed_ms", observed.length > 0 ? (Long) observed[observed.length - 1] : lastSuccess);
        Json.text(json, "reason", state.reason());
        Json.text(
                json,
                "rate_kind",
                status == null || status.rateKind() == null
                        ? null
                        : status.rateKind().name().toLowerCase(Locale.ROOT));
        intervals(json, held);
        age(json, "age_p50_s", observed, 50, nowMs);
        age(json, "age_p95_s", observed, 95, nowMs);
        json.writeFieldName("settled_history");
        if (status == null) {
            json.writeNull();
        } else {
            json.writeBoolean(status.settledHistory());
        }
        Json.number(json, "settled_history_contracts", status == null ? null : status.historyTotal());
        Json.number(json, "settled_history_contracts_read", status == null ? null : status.historyDone());
        Json.text(json, "history_problem", historyProblem(state));
        Json.number(json, "closed_until_ms", closedUntilMs(status, nowMs));
        Integer newestRows = state.venue().historyReach().newestRows();
        Json.number(json, "settled_history_newest_rows", newestRows == null ? null : newestRows.longValue());
        json.writeBooleanField("can_be_complete", state.canBeComplete());
        VenueQuality quality = state.quality();
        Json.decimal(json, "estimate_error_p50", quality == null ? null : quality.errorP50());
        Json.decimal(json, "estimate_error_p95", quality == null ? null : quality.errorP95());
        json.writeNumberField("estimate_error_settlements", quality == null ? 0 : quality.settlements());
        Json.text(json, "docs", status == null ? null : status.docs());
        json.writeEndObject();
    }

    /** What keeps 31 days from being read: what ingest met, else that the exchange shows no more. */
    private static @Nullable String historyProblem(VenueState state) {
        VenueStatus status = state.status();
        if (status != null && status.historyProblem() != null) {
            return status.historyProblem();
        }
        Integer newestRows = state.venue().historyReach().newestRows();
        return newestRows == null
                ? null
                : "history_capped: the exchange shows the newest " + newestRows + " settlements of a contract";
    }

    /** The last of the instants before which something of the exchange is not asked; null when all of them have passed. */
    private static @Nullable Long closedUntilMs(@Nullable VenueStatus status, long nowMs) {
        return status == null
                ? null
                : status.closedUntilMs().values().stream()
                        .filter(until -> until > nowMs)
                        .max(Long::compare)
                        .orElse(null);
    }

    /**
     * Writes the funding intervals as a list and not as a map. The interval is then a number with a unit, and
     * an unknown interval can be listed as null.
     */
    private static void intervals(JsonGenerator json, VenueRows held) throws IOException {
        var counts = new TreeMap<BigDecimal, Integer>();
        int unknown = 0;
        for (EncodedRow row : held.rows()) {
            BigDecimal hours = row.rate().fundingIntervalH();
            if (hours == null) {
                unknown++;
            } else {
                counts.merge(hours, 1, Integer::sum);
            }
        }
        json.writeArrayFieldStart("symbols_by_interval_h");
        for (var count : counts.entrySet()) {
            json.writeStartObject();
            json.writeFieldName("funding_interval_h");
            json.writeNumber(count.getKey().toPlainString());
            json.writeNumberField("symbols", count.getValue());
            json.writeEndObject();
        }
        if (unknown > 0) {
            json.writeStartObject();
            json.writeNullField("funding_interval_h");
            json.writeNumberField("symbols", unknown);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Nearest rank: the age that so many percent of the rows do not exceed. */
    private static void age(JsonGenerator json, String name, long[] observed, int percent, long nowMs)
            throws IOException {
        json.writeFieldName(name);
        if (observed.length == 0) {
            json.writeNull();
            return;
        }
        long[] ages = Arrays.stream(observed)
                .map(at -> Math.max(0, nowMs - at))
                .sorted()
                .toArray();
        int rank = Math.max(1, Math.ceilDiv(ages.length * percent, 100));
        json.writeNumber(BigDecimal.valueOf(ages[rank - 1], 3).toPlainString());
    }
}
