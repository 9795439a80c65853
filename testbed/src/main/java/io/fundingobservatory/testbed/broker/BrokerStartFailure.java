package io.fundingobservatory.testbed.broker;

import org.jspecify.annotations.Nullable;

/** The broker could not start. The message is one line for people: what is wrong, where, and what to do. */
public final class BrokerStartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    BrokerStartFailure(String reason, @Nullable Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** Returns the one line, which is also the message. */
    public String reason() {
        return reason;
    }
}
