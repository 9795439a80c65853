package io.fundingobservatory.streams.lifecycle;

/** The service cannot start; the message is one line for the person who started it. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartFailure(String reason) {
        super(reason, null, false, false);
    }

    /** Returns the one line. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
