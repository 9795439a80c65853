package io.fundingobservatory.standalone.terminal;

import io.fundingobservatory.runtime.InnermostCause;

/** The program cannot go on; the message is one readable line: what, where, and what to do. */
public final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With that line. */
    public Stop(String line) {
        super(line, null, false, false);
    }

    /** Returns the failure itself where it is one of these, otherwise one with its innermost cause: the line of a setting, or a port. */
    public static Stop of(RuntimeException failure) {
        return failure instanceof Stop stop ? stop : new Stop(InnermostCause.reason(failure));
    }
}
