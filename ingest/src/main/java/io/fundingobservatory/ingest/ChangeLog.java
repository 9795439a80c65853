package io.fundingobservatory.ingest;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/** Writes one line when something of a venue goes wrong, one when it goes wrong otherwise, and one when it is well again. */
final class ChangeLog {
    private record Subject(String venue, String what) {}

    private final Logger log;
    private final Map<Subject, String> unwell = new ConcurrentHashMap<>();
    private final Map<Subject, String> bugs = new ConcurrentHashMap<>();

    ChangeLog(Logger log) {
        this.log = log;
    }

    /**
     * Something is wrong.
     *
     * @param what the request, or what else it is
     * @param state one word
     */
    void isUnwell(String venue, String what, String state, String reason) {
        // counts and seconds change from time to time; what is wrong has not
        String kind = state + ' ' + reason.replaceAll("\\d+", "#");
        if (!kind.equals(unwell.put(new Subject(venue, what), kind))) {
            log.warn("venue={} request={} state={} reason=\"{}\"", venue, what, state, reason);
        }
    }

    void isWell(String venue, String what) {
        if (unwell.remove(new Subject(venue, what)) != null) {
            log.info("venue={} request={} state=ok", venue, what);
        }
    }

    /** With its stack, once for each place that it comes from. */
    void bug(String venue, String step, Exception bug) {
        StackTraceElement[] stack = bug.getStackTrace();
        String kind = bug.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
        if (!kind.equals(bugs.put(new Subject(venue, step), kind))) {
            log.error("venue={} step={} state=broken reason=\"{}\"", venue, step, bug, bug);
        }
    }

    /** The venue is another process's now. */
    void forget(String venue) {
        unwell.keySet().removeIf(subject -> subject.venue().equals(venue));
        bugs.keySet().removeIf(subject -> subject.venue().equals(venue));
    }
}
