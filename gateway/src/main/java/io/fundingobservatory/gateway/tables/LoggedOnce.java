package io.fundingobservatory.gateway.tables;

import org.slf4j.Logger;

/** Logs a failure that repeats when it first happens and when its cause changes, and its end. One thread uses it. */
final class LoggedOnce {
    private final Logger log;
    private String logged = "";

    LoggedOnce(Logger log) {
        this.log = log;
    }

    void warn(String what, Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String line = what + " cause=" + failure + (cause == failure ? "" : " innermost_cause=" + cause);
        if (!line.equals(logged)) {
            log.warn(line);
            logged = line;
        }
    }

    /** It has succeeded. */
    void over(String what) {
        log.info(what);
        logged = "";
    }

    /** It has succeeded, which is worth no line unless it had failed. */
    void overIfFailed(String what) {
        if (!logged.isEmpty()) {
            over(what);
        }
    }
}
