package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields that rows leave null, each under the reason why it is. */
public final class UnknownFields {
    /** The fields of rows that have a reason for being null, by the reason. */
    private static final Map<String, DeclaredField<Rate>> REASONS = Rate.CODEC.fields().stream()
            .filter(field -> !field.about().whenNull().isEmpty())
            .collect(Collectors.toUnmodifiableMap(field -> field.about().whenNull(), field -> field));

    private UnknownFields() {}

    /** The field that is null for a reason; null where the reason is that of a row. */
    public static @Nullable String field(String reason) {
        DeclaredField<Rate> field = REASONS.get(reason);
        return field == null ? null : field.name();
    }

    /** How many rows leave a field null, by the reason. */
    static SortedMap<String, Integer> count(List<Rate> rows) {
        var counts = new TreeMap<String, Integer>();
        symbols(rows).forEach((reason, named) -> counts.put(reason, named.size()));
        return counts;
    }

    /** The symbols of the rows that leave a field null, by the reason. */
    static SortedMap<String, List<String>> symbols(List<Rate> rows) {
        var symbols = new TreeMap<String, List<String>>();
        for (Rate row : rows) {
            REASONS.forEach((reason, field) -> {
                if (field.value().apply(row) == null) {
                    symbols.computeIfAbsent(reason, r -> new ArrayList<>(1)).add(row.symbol());
                }
            });
        }
        return symbols;
    }
}
