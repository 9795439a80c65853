package io.fundingobservatory.gateway.core.form;

import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import java.util.Map;
import java.util.Set;

/** The fields of a row of {@code /api/v1/latest}, as its record declares them, and its times as texts for requests that name them. */
public final class RateColumns {
    public static final Columns<Rate> ALL = new Columns<>(
            Rate.CODEC.fields().stream().map(RateColumns::column).toList(),
            Rate.CODEC.fields().stream()
                    .filter(field -> field.name().endsWith("_ms"))
                    .map(RateColumns::asText)
                    .toList(),
            Set.of("venue", "symbol"));

    private RateColumns() {}

    private static Column<Rate> column(DeclaredField<Rate> field) {
        String unit = field.about().unit();
        return new Column<>(
                field.name(),
                unit.isEmpty() ? Map.of() : Map.of(field.name(), unit),
                Number.class.isAssignableFrom(field.type()),
                field.omitted(),
                field.value());
    }

    private static Column<Rate> asText(DeclaredField<Rate> time) {
        String name = time.name().replaceFirst("_ms$", "_utc");
        return Column.of(name, row -> Json.utc((Long) time.value().apply(row)));
    }
}
