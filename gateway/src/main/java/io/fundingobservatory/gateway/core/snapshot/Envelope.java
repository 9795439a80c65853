package io.fundingobservatory.gateway.core.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.rows.Missing;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Release;
import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.records.Source;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds every response, errors included.
 *
 * @param generatedAtMs when the observation behind it was put together, epoch ms UTC
 * @param source what is observed; null while nothing is known
 * @param coverage exchanges in scope that are in the current observation, whatever was named; null while nothing is known
 * @param units of the response's own numbers, by the name of their field; those of the envelope are added
 * @param requested what was requested; null where the response takes no scope
 */
public record Envelope(
        long generatedAtMs,
        @Nullable Source source,
        @Nullable Integer coverage,
        int rowCount,
        Map<String, String> units,
        Missing missing,
        @Nullable Requested requested) {
    private static final Map<String, String> UNITS = Map.of(
            "generated_at_ms", Field.EPOCH_MS,
            "coverage", "exchanges of this response's scope that are in the current observation",
            "venues_listed", "exchanges",
            "row_count", "rows in this response",
            "since_ms", Field.EPOCH_MS);

    /**
     * The scope of a response.
     *
     * @param matched exchanges in scope with a row of what was named
     * @param meant what names that could not be read may have meant, by name
     */
    public record Requested(Scope scope, int matched, SortedMap<String, String> meant) {}

    /** The envelope of a list that describes files of the service. */
    public static Envelope ofFiles(long generatedAtMs, Map<String, String> units) {
        Missing missing = new Missing().and("meta.source, meta.coverage", "a file is no observation");
        return new Envelope(generatedAtMs, null, null, 0, units, missing, null);
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
        json.writeStringField("generated_at_utc", Json.utc(generatedAtMs));
        json.writeStringField("source", source == null ? null : source.name().toLowerCase(Locale.ROOT));
        Json.number(json, "coverage", coverage);
        var stated = new TreeMap<>(UNITS);
        stated.putAll(units);
        stated.putAll(missing.units());
        if (requested != null) {
            json.writeNumberField("venues_matched", requested.matched());
            stated.put("venues_matched", "exchanges in scope with a row of what was named");
        }
        json.writeNumberField("venues_listed", ListedVenue.ALL.size());
        json.writeNumberField("row_count", rowCount);
        if (requested != null) {
            Scope scope = requested.scope();
            json.writeObjectFieldStart("scope");
            json.writeStringField("kind", scope.kind());
            Json.texts(json, "venues", scope.venues());
            Json.texts(json, "outside", scope.outside());
            json.writeEndObject();
        }
        json.writeObjectFieldStart("units");
        for (var unit : stated.entrySet()) {
            json.writeStringField(unit.getKey(), unit.getValue());
        }
        json.writeEndObject();
        missing.write(json);
        if (requested != null) {
            unreadable(json, requested);
        }
        json.writeEndObject();
    }

    private static void unreadable(JsonGenerator json, Requested requested) throws IOException {
        for (var names : new TreeMap<>(requested.scope().unreadable()).entrySet()) {
            Json.texts(json, "unreadable_" + names.getKey(), names.getValue());
        }
        if (!requested.meant().isEmpty()) {
            Json.objects(json, "did_you_mean", requested.meant().entrySet(), near -> {
                json.writeStringField("name", near.getKey());
                json.writeStringField("use", near.getValue());
            });
        }
    }
}
