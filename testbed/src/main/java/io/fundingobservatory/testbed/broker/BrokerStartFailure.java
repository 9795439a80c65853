package io.fundingobservatory.testbed.broker;

import org.jspecify.annotations.Nullable;

/** The broker could not start. The message is one line for people: what is wrong, where, and what to do. */
public final class BrokerStartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokerStartFailure(String line, @Nullable Throwable cause) {
        super(line, cause);
    }
}
