package io.fundingobservatory.ingest.json;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.io.Serializable;

/**
 * Why a row was left out. Reasons are labels of metrics and keys of a venue's status, so each is a constant of the program. The build
 * refuses text of a venue here.
 *
 * @param name as it is published, snake_case
 */
public record SkipReason(String name) implements Comparable<SkipReason>, Serializable {
    private static final String UNREADABLE = "unreadable_";

    public static SkipReason of(@CompileTimeConstant String name) {
        return new SkipReason(name);
    }

    /** A field that must be there is absent or misshapen. */
    static SkipReason unreadable(@CompileTimeConstant String field) {
        return new SkipReason(UNREADABLE + field);
    }

    /** Whether the rate or another field that must be there is absent or misshapen. */
    public boolean isMissingField() {
        return equals(Skip.NO_FUNDING_RATE) || name.startsWith(UNREADABLE);
    }

    @Override
    public int compareTo(SkipReason other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
