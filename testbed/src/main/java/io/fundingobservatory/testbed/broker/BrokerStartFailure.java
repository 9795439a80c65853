package io.fundingobservatory.testbed.broker;

import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Optional;
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

    /** Returns the failure in words: a full disk, a missing right and a taken port are recognised. */
    static BrokerStartFailure of(Path home, Exception e) {
        if (e instanceof BrokerStartFailure known) {
            return known;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = Optional.ofNullable(cause.getMessage()).orElse("");
            if (message.contains("No space left")) {
                return new BrokerStartFailure(
                        "disk full: the broker cannot write to %s; free some space or choose another directory"
                                .formatted(home),
                        e);
            }
            if (cause instanceof AccessDeniedException || message.contains("Permission denied")) {
                return new BrokerStartFailure(
                        "no write permission: the broker cannot write to %s; give it to this user or choose another directory"
                                .formatted(home),
                        e);
            }
            if (cause instanceof BindException || message.contains("Address already in use")) {
                return new BrokerStartFailure(
                        "port in use: %s; stop what listens there or choose another port".formatted(message), e);
            }
        }
        return new BrokerStartFailure(
                "the broker cannot start in %s (%s); choose another directory".formatted(home, firstLine(e)), e);
    }

    /** Returns the type of an exception and the first line of its message. */
    static String firstLine(Exception e) {
        String message = e.getMessage();
        String line = message == null ? "" : message.lines().findFirst().orElse("");
        return line.isEmpty() ? e.getClass().getSimpleName() : e.getClass().getSimpleName() + ": " + line;
    }
}
