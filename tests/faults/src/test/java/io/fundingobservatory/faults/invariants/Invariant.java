package io.fundingobservatory.faults.invariants;

import java.util.List;

/** What must hold through a run, whatever breaks in it. */
public interface Invariant {
    /** Its name in reports. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** What broke it so far, for people; empty while it holds. */
    List<String> violations();
}
