package io.fundingobservatory.runtime;

import java.net.BindException;

/** Why something failed, in one line. Kafka and Micronaut wrap a cause several times: "Failed to create new KafkaAdminClient". */
public final class InnermostCause {
    private InnermostCause() {}

    public static Throwable of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Its type and the first line of its message, for failures of libraries: the message of some is a path alone. */
    public static String typed(Throwable failure) {
        Throwable cause = of(failure);
        String type = cause.getClass().getSimpleName();
        return cause.getMessage() == null ? type : type + " " + line(cause);
    }

    /** The first line of its message, for settings; for a port, what was to be opened, which the cause does not name. */
    public static String reason(Throwable failure) {
        Throwable cause = failure;
        String around = "";
        while (cause.getCause() != null) {
            around = line(cause);
            cause = cause.getCause();
        }
        return cause instanceof BindException ? "a port is in use: " + around : line(cause);
    }

    private static String line(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().map(String::strip).findFirst().orElse("");
    }
}
