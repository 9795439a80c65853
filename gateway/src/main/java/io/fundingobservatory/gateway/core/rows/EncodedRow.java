package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.gateway.core.coding.Columns;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.records.Rate;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * A row and its bytes in a response.
 *
 * @param rate the row
 * @param json the row as {@link Rate#CODEC} writes it; shared, never changed
 * @param version the version of its venue's rows ({@link VenueRows#version}) that first had these bytes; 0 for a row of a table
 */
@SuppressWarnings("ArrayRecordComponent") // bytes that are served as they are; never compared
public record EncodedRow(Rate rate, byte[] json, long version) {
    /** The fields of a row, as its record declares them, and its times as texts for requests that name them. */
    public static final Columns<EncodedRow> COLUMNS = new Columns<>(
            Rate.CODEC.fields().stream().map(EncodedRow::column).toList(),
            Rate.CODEC.fields().stream()
                    .filter(field -> field.name().endsWith("_ms"))
                    .map(EncodedRow::asText)
                    .toList(),
            Set.of("venue", "symbol"));

    private static Columns.Column<EncodedRow> column(DeclaredField<Rate> field) {
        String unit = field.about().unit();
        return new Columns.Column<>(
                field.name(),
                unit.isEmpty() ? Map.of() : Map.of(field.name(), unit),
                Number.class.isAssignableFrom(field.type()),
                field.omitted(),
                null,
                row -> field.value().apply(row.rate()));
    }

    private static Columns.Column<EncodedRow> asText(DeclaredField<Rate> time) {
        String name = time.name().replaceFirst("_ms$", "_utc");
        return new Columns.Column<>(
                name,
                Map.of(),
                false,
                false,
                null,
                row -> Json.utc((Long) time.value().apply(row.rate())));
    }

    /** A row of a table. Where its bytes there are those of a response, as a rule, they serve as both. */
    public static EncodedRow stored(Rate rate, byte[] stored) {
        byte[] json = Rate.CODEC.encode(rate);
        return new EncodedRow(rate, Arrays.equals(json, stored) ? stored : json, 0);
    }

    static EncodedRow of(Rate rate) {
        return new EncodedRow(rate, Rate.CODEC.encode(rate), 0);
    }

    EncodedRow asOf(long nowMs) {
        Rate then = rate.asOf(nowMs);
        return then.stale() == rate.stale() ? this : of(then);
    }

    EncodedRow since(long first) {
        return first == version ? this : new EncodedRow(rate, json, first);
    }
}
