package io.fundingobservatory.standalone.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Operations tried on the brokers, one line each: expected and actual permission. */
final class Verdicts {
    static final String ALLOWED = "allowed";
    static final String DENIED = "denied";

    private final Map<String, String> expected = new TreeMap<>();
    private final Map<String, String> found = new TreeMap<>();

    /** An operation was requested; waits for its response. */
    void tried(String tried, boolean allowed, Future<?> requests) throws InterruptedException {
        tried(tried, allowed, of(requests));
    }

    synchronized void tried(String tried, boolean allowed, String verdict) {
        expected.put(tried, allowed ? ALLOWED : DENIED);
        found.put(tried, verdict);
    }

    void areAsExpected() {
        assertEquals(expected, found);
    }

    /** "allowed" or "denied"; anything else that goes wrong is what it is. */
    private static String of(Future<?> requests) throws InterruptedException {
        try {
            requests.get();
            return ALLOWED;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return DENIED;
            }
            return e.getCause() instanceof TopicExistsException
                    ? ALLOWED
                    : e.getCause().toString();
        }
    }
}
