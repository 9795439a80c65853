package io.fundingobservatory.topics.json;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of records, as its component declares it.
 *
 * @param name its name in JSON
 * @param type text, exact number, whole number, boolean, or the enum of its words
 * @param required whether it is never null
 * @param omitted whether a record has it only where its value is not null
 * @param about what its component declares
 * @param value reads it of a record
 */
public record DeclaredField<T>(
        String name,
        Class<?> type,
        boolean required,
        boolean omitted,
        Field about,
        Function<T, @Nullable Object> value) {}
