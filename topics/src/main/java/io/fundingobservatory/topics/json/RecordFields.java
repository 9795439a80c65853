package io.fundingobservatory.topics.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of one record as read, asked for in the order in which they were declared. */
public final class RecordFields {
    private final @Nullable Object[] values;
    private int next;

    RecordFields(@Nullable Object[] values) {
        this.values = values;
    }

    private <V> @Nullable V orNull(Class<V> type) {
        return type.cast(values[next++]);
    }

    private <V> V required(Class<V> type) {
        return Objects.requireNonNull(orNull(type));
    }

    /** A text. */
    public String text() {
        return required(String.class);
    }

    /** A text, or null. */
    @Nullable
    public String textOrNull() {
        return orNull(String.class);
    }

    /** A number, exact. */
    public BigDecimal decimal() {
        return required(BigDecimal.class);
    }

    /** A number, exact, or null. */
    @Nullable
    public BigDecimal decimalOrNull() {
        return orNull(BigDecimal.class);
    }

    /** A whole number. */
    public long integer() {
        return required(Long.class);
    }

    /** A whole number, or null. */
    @Nullable
    public Long integerOrNull() {
        return orNull(Long.class);
    }

    /** A boolean that is always written. */
    public boolean truth() {
        return required(Boolean.class);
    }

    /** A boolean that is written only when it is true. */
    public boolean flag() {
        return Boolean.TRUE.equals(orNull(Boolean.class));
    }

    /** A constant of this enum. */
    public <E extends Enum<E>> E word(Class<E> words) {
        return required(words);
    }

    /** A constant of this enum, or null. */
    public <E extends Enum<E>> @Nullable E wordOrNull(Class<E> words) {
        return orNull(words);
    }

    /** A list of records. */
    @SuppressWarnings("unchecked") // the field was declared with the codec of these elements
    public <E> List<E> list() {
        return (List<E>) required(List.class);
    }

    /** A list of records that earlier versions of the record did not have; empty when it is not there. */
    @SuppressWarnings("unchecked") // the field was declared with the codec of these elements
    public <E> List<E> listIfAny() {
        List<?> list = orNull(List.class);
        return list == null ? List.of() : (List<E>) list;
    }

    /** A record that earlier versions of the record did not have, or null. */
    public <E> @Nullable E recordIfAny(Class<E> type) {
        return orNull(type);
    }

    /** Counts that earlier versions of the record did not have; empty when they are not there. */
    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    public Map<String, Long> countsIfAny() {
        Map<?, ?> counts = orNull(Map.class);
        return counts == null ? Map.of() : (Map<String, Long>) counts;
    }

    /** Numbers that earlier versions of the record did not have; empty when they are not there. */
    @SuppressWarnings("unchecked") // the field was declared with numbers
    public List<BigDecimal> decimalsIfAny() {
        List<?> numbers = orNull(List.class);
        return numbers == null ? List.of() : (List<BigDecimal>) numbers;
    }

    /** Whole numbers by name. */
    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    public Map<String, Long> counts() {
        return (Map<String, Long>) required(Map.class);
    }
}
