package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.runtime.InnermostCause;
import org.slf4j.Logger;

/** Logs a failure that repeats when it first happens and when its cause changes, and its end. One thread uses it. */
final class LoggedOnce {
    private final Logger log;
    private String logged = "";

    LoggedOnce(Logger log) {
        this.log = log;
    }

    /** It has failed; a warning with the failure and its innermost cause, unless the last one was the same but for its numbers. */
    void warn(String what, Throwable failure) {
        String line = what + " cause=" + failure
                + (failure.getCause() == null ? "" : " innermost_cause=" + InnermostCause.of(failure));
        // Kafka's clients write times and tries into their failures.
        String same = line.replaceAll("\\d+", "");
        if (!same.equals(logged)) {
            log.warn(line);
            logged = same;
        }
    }

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
