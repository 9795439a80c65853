package io.fundingobservatory.topics;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of one record as read, asked for in the order in which they were declared. */
final class RecordFields {
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

    String text() {
        return required(String.class);
    }

    @Nullable
    String textOrNull() {
        return orNull(String.class);
    }

    BigDecimal decimal() {
        return required(BigDecimal.class);
    }

    @Nullable
    BigDecimal decimalOrNull() {
        return orNull(BigDecimal.class);
    }

    long integer() {
        return required(Long.class);
    }

    @Nullable
    Long integerOrNull() {
        return orNull(Long.class);
    }

    boolean truth() {
        return required(Boolean.class);
    }

    boolean flag() {
        return orNull(Boolean.class) == Boolean.TRUE;
    }

    <E extends Enum<E>> E word(Class<E> words) {
        return required(words);
    }

    <E extends Enum<E>> @Nullable E wordOrNull(Class<E> words) {
        return orNull(words);
    }

    @SuppressWarnings("unchecked") // the field was declared with the codec of these elements
    <E> List<E> list() {
        return (List<E>) required(List.class);
    }

    /** Counts that earlier versions of the record did not have; empty when they are not there. */
    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    Map<String, Long> countsIfAny() {
        Map<?, ?> counts = orNull(Map.class);
        return counts == null ? Map.of() : (Map<String, Long>) counts;
    }

    @SuppressWarnings("unchecked") // the only map that a codec reads is one of counts
    Map<String, Long> counts() {
        return (Map<String, Long>) required(Map.class);
    }
}
