package io.fundingobservatory.streams;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces a stream thread that died, up to a bound; beyond it something is wrong that a new thread does not mend. */
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {
    static final int AT_MOST = 5;
    static final Duration WITHIN = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(ThreadReplacement.class);

    private final LongSupplier steadyMs;
    private final Consumer<String> failed;
    private final Deque<Long> deaths = new ArrayDeque<>();

    /**
     * A handler for one client.
     *
     * @param steadyMs counts milliseconds and never jumps
     * @param failed told, in one line, why the client shuts down
     */
    ThreadReplacement(LongSupplier steadyMs, Consumer<String> failed) {
        this.steadyMs = steadyMs;
        this.failed = failed;
    }

    @Override
    public synchronized StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse handle(Throwable death) {
        String cause = cause(death);
        if (contains(death, FencedInstanceIdException.class)) {
            failed.accept("another process runs under the same observatory.streams.instance-id: " + cause);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        long nowMs = steadyMs.getAsLong();
        deaths.addLast(nowMs);
        while (nowMs - deaths.getFirst() > WITHIN.toMillis()) {
            deaths.removeFirst();
        }
        if (deaths.size() > AT_MOST) {
            failed.accept("stream threads died " + deaths.size() + " times within " + WITHIN.toMinutes()
                    + " minutes, last of: " + cause);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        LOG.warn("stream thread replaced count={} cause={}", deaths.size(), cause);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private static boolean contains(Throwable death, Class<? extends Throwable> kind) {
        for (Throwable at = death; at != null; at = at.getCause()) {
            if (kind.isInstance(at)) {
                return true;
            }
        }
        return false;
    }

    private static String cause(Throwable death) {
        Throwable root = death;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getClass().getSimpleName() + " "
                + String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    }
}
