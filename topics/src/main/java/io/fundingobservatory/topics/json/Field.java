package io.fundingobservatory.topics.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a component of a record as a field of its JSON. The name is the component's in snake case, the kind its type, and a nullable
 * component is a field that may be null. Codec, JSON Schema, columns and units of responses derive from this declaration.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
    /** The unit of every time. */
    String EPOCH_MS = "milliseconds since 1970-01-01T00:00:00Z";

    /** What the field is, when it is null included. */
    String value();

    /** The unit of a number that responses return; empty for other fields. */
    String unit() default "";

    /** Which numbers it may have. */
    Range range() default Range.ANY;

    /** The reason under which responses count rows that leave it null; empty: they do not. */
    String whenNull() default "";

    /** The numbers that a field may have. */
    enum Range {
        ANY(""),
        FROM_ZERO("minimum"),
        ABOVE_ZERO("exclusiveMinimum");

        /** The keyword of JSON Schema whose value is 0; empty: none. */
        final String keyword;

        Range(String keyword) {
            this.keyword = keyword;
        }
    }
}
