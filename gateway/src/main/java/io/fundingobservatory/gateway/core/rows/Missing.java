package io.fundingobservatory.gateway.core.rows;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one response does not contain, and why. It is filled and narrowed while the response is made. */
public final class Missing {
    /** The kinds of data of the interface that this release does not return. */
    private static final List<String> KINDS_NOT_YET =
            List.of("cumulative_curve", "rate_history", "volume", "depth_profile");

    /** The fields of rows that have a reason for being null, by the reason. */
    private static final Map<String, DeclaredField<Rate>> REASONS = Rate.CODEC.fields().stream()
            .filter(field -> !field.about().whenNull().isEmpty())
            .collect(Collectors.toUnmodifiableMap(field -> field.about().whenNull(), Function.identity()));

    /** A venue in scope without a row. */
    private record AbsentVenue(
            String venue, String reason, @Nullable Long sinceMs) {}

    /** Rows of a venue that were left out, or that leave a field null. */
    record LeftOut(String venue, String reason, long count) {}

    /** A field outside the rows that is null or cut short. */
    private record UnknownValue(String field, String reason) {}

    private final List<AbsentVenue> venues = new ArrayList<>();
    private final List<LeftOut> rows = new ArrayList<>();
    private final List<UnknownValue> values = new ArrayList<>();
    private boolean byReason;

    /**
     * Returns what a scope does not contain. For whole venues, rows that were left out and fields that are
     * null are counted by venue. Where the request names assets or symbols, or selects rows by a value, only entries
     * that concern them are listed. These entries are null fields, and the named venues that have no such row.
     *
     * @param states the venues in scope
     */
    public static Missing of(List<VenueState> states, Scope scope) {
        var missing = new Missing();
        for (VenueState state : states) {
            String venue = state.venue().id();
            List<EncodedRow> rows = state.rows().rows(scope);
            if (!state.present()) {
                VenueStatus status = state.status();
                missing.venues.add(new AbsentVenue(
                        venue,
                        Objects.requireNonNullElse(state.reason(), "unknown"),
                        status == null ? null : status.lastSuccessMs()));
            } else if (scope.namesSomeVenues() && rows.isEmpty()) {
                missing.venues.add(new AbsentVenue(venue, "no_matching_row", null));
            }
            if (scope.wholeVenues()) {
                missing.rows.addAll(state.leftOut());
            } else if (state.present()
                    && (!scope.namesContracts() || !state.without(scope).isEmpty())) {
                missing.rows.addAll(state.faults());
            }
            state.nulls(scope).forEach((reason, count) -> missing.rows.add(new LeftOut(venue, reason, count)));
        }
        return missing;
    }

    /** How many rows leave one of these fields null, by the reason; of all fields where {@code fields} is null. */
    static SortedMap<String, Integer> nulls(List<EncodedRow> rows, @Nullable Set<String> fields) {
        var counts = new TreeMap<String, Integer>();
        REASONS.forEach((reason, field) -> {
            int count = fields != null && !fields.contains(field.name())
                    ? 0
                    : (int) rows.stream()
                            .filter(row -> field.value().apply(row.rate()) == null)
                            .count();
            if (count > 0) {
                counts.put(reason, count);
            }
        });
        return counts;
    }

    /** Adds a field outside the rows that is null or cut short. */
    public Missing and(String field, String reason) {
        values.add(new UnknownValue(field, reason));
        return this;
    }

    /** Adds the fields of rows in a form that may be null, with the reason. */
    public Missing andNulls(RowForm form, Columns<?>... lists) {
        var fields = new LinkedHashMap<String, Set<String>>();
        for (Columns<?> list : lists) {
            for (Columns.Column<?> column : list.shown(form)) {
                if (column.whenNull() != null) {
                    fields.computeIfAbsent(column.whenNull(), why -> new LinkedHashSet<>())
                            .add(column.name());
                }
            }
        }
        fields.forEach((why, names) -> and(String.join(", ", names), why));
        return this;
    }

    /** Keeps the rows of these venues. */
    public Missing onlyOf(Set<String> venues) {
        rows.removeIf(left -> !venues.contains(left.venue()));
        return this;
    }

    /**
     * Takes the form of a response: null values count only where the response is about their field.
     *
     * @param fields fields of rows that the response is about; null for all
     */
    public Missing in(RowForm form, @Nullable Set<String> fields) {
        byReason = form.byReason();
        rows.removeIf(left -> {
            DeclaredField<Rate> field = REASONS.get(left.reason());
            return field != null && fields != null && !fields.contains(field.name());
        });
        return this;
    }

    /** The units of the numbers that it has. */
    public Map<String, String> units() {
        return byReason ? Map.of("count", "rows", "venues", "exchanges") : Map.of("count", "rows");
    }

    public void write(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("missing");
        if (byReason) {
            writeReasons(json);
        } else {
            Json.objects(json, "venues", venues, absent -> {
                json.writeStringField("venue", absent.venue());
                json.writeStringField("reason", absent.reason());
                Json.number(json, "since_ms", absent.sinceMs());
                json.writeStringField("since_utc", Json.utc(absent.sinceMs()));
            });
            Json.objects(json, "symbols", rows, left -> {
                json.writeStringField("venue", left.venue());
                json.writeStringField("reason", left.reason());
                json.writeNumberField("count", left.count());
            });
        }
        Json.objects(json, "kinds", KINDS_NOT_YET, kind -> {
            json.writeStringField("kind", kind);
            json.writeStringField("status", "not returned yet");
        });
        if (!values.isEmpty()) {
            Json.objects(json, "values", values, value -> {
                json.writeStringField("field", value.field());
                json.writeStringField("reason", value.reason());
            });
        }
        json.writeEndObject();
    }

    /** Venues and rows by reason alone, the most frequent reason of rows first. */
    private void writeReasons(JsonGenerator json) throws IOException {
        var absentFor =
                venues.stream().collect(Collectors.groupingBy(AbsentVenue::reason, TreeMap::new, Collectors.toList()));
        Json.objects(json, "venues", absentFor.entrySet(), absent -> {
            json.writeStringField("reason", absent.getKey());
            Json.texts(
                    json,
                    "names",
                    absent.getValue().stream().map(AbsentVenue::venue).toList());
        });
        var leftFor = rows.stream().collect(Collectors.groupingBy(LeftOut::reason, TreeMap::new, Collectors.toList()));
        Function<List<LeftOut>, Long> count =
                left -> left.stream().mapToLong(LeftOut::count).sum();
        List<List<LeftOut>> mostFirst = leftFor.values().stream()
                .sorted(Comparator.comparing(count).reversed())
                .toList();
        Json.objects(json, "symbols", mostFirst, left -> {
            json.writeStringField("reason", left.getFirst().reason());
            json.writeNumberField("count", count.apply(left));
            json.writeNumberField("venues", left.size());
        });
    }
}
