package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Column;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.request.Kind;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Release;
import io.fundingobservatory.topics.records.Source;
import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands around every response, errors included.
 *
 * @param generatedAtMs when the observation behind it was put together, epoch ms UTC
 * @param source what is observed; null while nothing is known
 * @param coverage exchanges in scope that are in the current observation, whatever was named; null while nothing is known
 * @param matched exchanges in scope with a row of what was named; null where no scope is requested
 * @param units of the response's own numbers, by the name of their field; those of the envelope are added
 * @param scope which exchanges the response is about; null where that is not requested
 * @param meant what names that could not be read may have meant, by name
 */
public record Envelope(
        long generatedAtMs,
        @Nullable Source source,
        @Nullable Integer coverage,
        @Nullable Integer matched,
        int rowCount,
        Map<String, String> units,
        Missing missing,
        @Nullable Scope scope,
        SortedMap<String, String> meant) {
    private static final Map<String, String> UNITS = Map.of(
            "generated_at_ms", Column.EPOCH_MS,
            "coverage", "exchanges of this response's scope that are in the current observation",
            "venues_listed", "exchanges",
            "row_count", "rows in this response",
            "since_ms", Column.EPOCH_MS,
            "count", "rows");

    /** An envelope of a response that takes no scope. */
    public Envelope(
            long generatedAtMs,
            @Nullable Source source,
            @Nullable Integer coverage,
            int rowCount,
            Map<String, String> units,
            Missing missing) {
        this(generatedAtMs, source, coverage, null, rowCount, units, missing, null, Collections.emptySortedMap());
    }

    /** The envelope of a list that describes files of the service. */
    public static Envelope ofFiles(long generatedAtMs, Map<String, String> units) {
        Missing missing = Missing.NOTHING
                .and("meta.source", "a file is no observation")
                .and("meta.coverage", "a file is no observation");
        return new Envelope(generatedAtMs, null, null, 0, units, missing);
    }

    /** Writes its members into an object that is open already. */
    public void members(JsonGenerator json) throws IOException {
        members(json, false);
    }

    /** The same for a list, which states its own tag ({@link Content#tagged}). */
    public void taggedMembers(JsonGenerator json) throws IOException {
        members(json, true);
    }

    private void members(JsonGenerator json, boolean tagged) throws IOException {
        json.writeStringField("plan", "free");
        json.writeBooleanField("key_required", false);
        json.writeObjectFieldStart("meta");
        json.writeStringField("release", Release.NAME);
        if (tagged) {
            json.writeStringField("tag", Content.NO_TAG);
        }
        json.writeNumberField("generated_at_ms", generatedAtMs);
        Json.text(json, "generated_at_utc", Json.utc(generatedAtMs));
        Json.text(json, "source", source == null ? null : source.name().toLowerCase(Locale.ROOT));
        Json.number(json, "coverage", coverage);
        if (matched != null) {
            json.writeNumberField("venues_matched", matched);
        }
        json.writeNumberField("venues_listed", ListedVenue.ALL.size());
        json.writeNumberField("row_count", rowCount);
        if (scope != null) {
            json.writeObjectFieldStart("scope");
            json.writeStringField("kind", scope.kind());
            Json.texts(json, "venues", scope.venues());
            Json.texts(json, "outside", scope.outside());
            json.writeEndObject();
        }
        json.writeObjectFieldStart("units");
        var stated = new TreeMap<>(UNITS);
        stated.putAll(units);
        if (missing.byReason()) {
            stated.put("venues", "exchanges");
        }
        if (matched != null) {
            stated.put("venues_matched", "exchanges in scope with a row of what was named");
        }
        for (var unit : stated.entrySet()) {
            json.writeStringField(unit.getKey(), unit.getValue());
        }
        json.writeEndObject();
        writeMissing(json);
        if (scope != null) {
            for (var names : new TreeMap<>(scope.unreadable()).entrySet()) {
                Json.texts(json, "unreadable_" + names.getKey(), names.getValue());
            }
        }
        if (!meant.isEmpty()) {
            Json.objects(json, "did_you_mean", meant.entrySet(), near -> {
                json.writeStringField("name", near.getKey());
                json.writeStringField("use", near.getValue());
            });
        }
        json.writeEndObject();
    }

    private void writeMissing(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("missing");
        if (missing.byReason()) {
            reasons(json);
        } else {
            venues(json);
        }
        Json.objects(json, "kinds", Kind.notYet(), kind -> {
            json.writeStringField("kind", kind.word);
            json.writeStringField("status", kind.status());
        });
        if (!missing.values().isEmpty()) {
            Json.objects(json, "values", missing.values(), value -> {
                json.writeStringField("field", value.field());
                json.writeStringField("reason", value.reason());
            });
        }
        json.writeEndObject();
    }

    private void venues(JsonGenerator json) throws IOException {
        Json.objects(json, "venues", missing.venues(), absent -> {
            json.writeStringField("venue", absent.venue());
            json.writeStringField("reason", absent.reason());
            Json.number(json, "since_ms", absent.sinceMs());
            Json.text(json, "since_utc", Json.utc(absent.sinceMs()));
        });
        Json.objects(json, "symbols", missing.symbols(), left -> {
            json.writeStringField("venue", left.venue());
            json.writeStringField("reason", left.reason());
            json.writeNumberField("count", left.count());
            if (!left.named().isEmpty()) {
                Json.texts(json, "symbols", left.named());
            }
        });
    }

    private void reasons(JsonGenerator json) throws IOException {
        Json.objects(json, "venues", missing.venuesByReason().entrySet(), absent -> {
            json.writeStringField("reason", absent.getKey());
            Json.texts(json, "names", absent.getValue());
        });
        Json.objects(json, "symbols", missing.rowsByReason(), left -> {
            json.writeStringField("reason", left.reason());
            json.writeNumberField("count", left.count());
            json.writeNumberField("venues", left.venues());
        });
    }
}
