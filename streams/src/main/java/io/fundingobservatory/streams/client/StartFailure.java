package io.fundingobservatory.streams.client;

/** The service cannot start; the message is one line for the person who started it. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    StartFailure(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Returns the one line, which is also the message. */
    public String reason() {
        return reason;
    }
}
