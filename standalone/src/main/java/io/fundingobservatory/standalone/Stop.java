package io.fundingobservatory.standalone;

/** The program cannot go on; the message is one readable line: what, where, and what to do. */
final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stop(String line) {
        super(line, null, false, false);
    }
}
