package io.fundingobservatory.standalone.terminal;

/** The program cannot go on; the message is one readable line: what, where, and what to do. */
public final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With that line. */
    public Stop(String line) {
        super(line, null, false, false);
    }
}
