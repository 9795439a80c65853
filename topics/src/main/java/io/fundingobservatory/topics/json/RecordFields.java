package io.fundingobservatory.topics.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one record as read, by name and in any order. A name that the codec does not declare is an
 * {@link IllegalArgumentException}, a type other than the declared one a {@link ClassCastException}.
 */
public final class RecordFields {
    private final @Nullable Object[] values;
    private final FieldPlaces places;
    private int next;

    RecordFields(@Nullable Object[] values, FieldPlaces places) {
        this.values = values;
        this.places = places;
    }

    /** All of them in the order of their declaration. */
    @Nullable
    Object[] values() {
        return values;
    }

    private <V> @Nullable V orNull(String name, Class<V> type) {
        int place = places.of(name, next);
        if (place < 0) {
            throw new IllegalArgumentException("no field " + name + " is declared");
        }
        next = place + 1;
        return type.cast(values[place]);
    }

    private <V> V required(String name, Class<V> type) {
        return Objects.requireNonNull(orNull(name, type));
    }

    /** A text. */
    public String text(String name) {
        return required(name, String.class);
    }

    /** A text, or null. */
    @Nullable
    public String textOrNull(String name) {
        return orNull(name, String.class);
    }

    /** A number, exact. */
    public BigDecimal decimal(String name) {
        return required(name, BigDecimal.class);
    }

    /** A number, exact, or null. */
    @Nullable
    public BigDecimal decimalOrNull(String name) {
        return orNull(name, BigDecimal.class);
    }

    /** A whole number. */
    public long integer(String name) {
        return required(name, Long.class);
    }

    /** A whole number, or null. */
    @Nullable
    public Long integerOrNull(String name) {
        return orNull(name, Long.class);
    }

    /** A boolean that is always written. */
    public boolean truth(String name) {
        return required(name, Boolean.class);
    }

    /** A boolean that is written only when it is true. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(orNull(name, Boolean.class));
    }

    /** A constant of this enum. */
    public <E extends Enum<E>> E word(String name, Class<E> words) {
        return required(name, words);
    }

    /** A constant of this enum, or null. */
    public <E extends Enum<E>> @Nullable E wordOrNull(String name, Class<E> words) {
        return orNull(name, words);
    }

    /** A list of records. */
    @SuppressWarnings("unchecked") // the field was declared with the codec of these elements
    public <E> List<E> list(String name) {
        return (List<E>) required(name, List.class);
    }

    /** A list of records that earlier versions of the record did not have; empty when it is not there. */
    @SuppressWarnings("unchecked") // the field was declared with the codec of these elements
    public <E> List<E> listIfAny(String name) {
        List<?> list = orNull(name, List.class);
        return list == null ? List.of() : (List<E>) list;
    }

    /** A record that earlier versions of the record did not have, or null. */
    public <E> @Nullable E recordIfAny(String name, Class<E> type) {
        return orNull(name, type);
    }

    /** Counts that earlier versions of the record did not have; empty when they are not there. */
    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    public Map<String, Long> countsIfAny(String name) {
        Map<?, ?> counts = orNull(name, Map.class);
        return counts == null ? Map.of() : (Map<String, Long>) counts;
    }

    /** Numbers that earlier versions of the record did not have; empty when they are not there. */
    @SuppressWarnings("unchecked") // the field was declared with numbers
    public List<BigDecimal> decimalsIfAny(String name) {
        List<?> numbers = orNull(name, List.class);
        return numbers == null ? List.of() : (List<BigDecimal>) numbers;
    }

    /** Whole numbers by name. */
    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    public Map<String, Long> counts(String name) {
        return (Map<String, Long>) required(name, Map.class);
    }
}
