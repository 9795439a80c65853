package io.fundingobservatory.streams.client;

import io.fundingobservatory.runtime.InnermostCause;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts the client after a stream thread died. The client shuts down and is started again under the same
 * ids, up to 5 times within 10 minutes. Beyond that, the cause is one that a restart does not repair. Deleted
 * topics are not counted: they are created again or waited for, as at a start.
 *
 * <p>Replacing only the thread would give it a new index, and with it a new static member of the group. The
 * dead member would keep its partitions for the session timeout. A client that starts again is the same
 * member and has its partitions back at once.
 */
public final class ClientRestarts implements StreamsUncaughtExceptionHandler {
    static final int AT_MOST = 5;
    static final Duration WITHIN = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClientRestarts.class);

    private final LongSupplier steadyMs;
    private final Consumer<String> failed;
    private final Deque<Long> deaths = new ArrayDeque<>();
    private boolean givenUp;
    private boolean lacksTopics;
    private @Nullable String damage;

    /** {@code steadyMs} counts milliseconds and never jumps; {@code failed} receives one line: why no client starts again. */
    public ClientRestarts(LongSupplier steadyMs, Consumer<String> failed) {
        this.steadyMs = steadyMs;
        this.failed = failed;
    }

    @Override
    public synchronized StreamThreadExceptionResponse handle(Throwable death) {
        String cause = InnermostCause.typed(death);
        if (contains(death, FencedInstanceIdException.class)) {
            giveUp("another process runs under the same observatory.streams.instance-id: " + cause);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        if (contains(death, MissingSourceTopicException.class)) {
            lacksTopics = true;
            LOG.warn("stream thread ended cause={}; the client is started again with its topics", cause);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        if (LocalStores.areDamaged(death)) {
            damage = cause;
        }
        long nowMs = steadyMs.getAsLong();
        deaths.addLast(nowMs);
        while (nowMs - deaths.getFirst() > WITHIN.toMillis()) {
            deaths.removeFirst();
        }
        if (deaths.size() > AT_MOST) {
            giveUp("stream threads died " + deaths.size() + " times within " + WITHIN.toMinutes()
                    + " minutes, last of: " + cause);
        } else {
            LOG.warn("stream thread died count={} cause={}; the client is started again", deaths.size(), cause);
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private void giveUp(String line) {
        givenUp = true;
        failed.accept(line);
    }

    /** Whether a client that has shut down because of its threads is to be started again. */
    public synchronized boolean startsAgain() {
        return !givenUp;
    }

    /** Whether a thread of the client that has shut down ended because a topic that it reads is not there any more. */
    public synchronized boolean lacksTopics() {
        return lacksTopics;
    }

    /** Why a thread of the client that has shut down could not read its stores; null where none failed to. */
    public synchronized @Nullable String damage() {
        return damage;
    }

    /** Another client starts: what the threads of the former one lacked no longer counts. */
    public synchronized void started() {
        lacksTopics = false;
        damage = null;
    }

    private static boolean contains(Throwable death, Class<? extends Throwable> kind) {
        return Stream.iterate(death, Objects::nonNull, Throwable::getCause).anyMatch(kind::isInstance);
    }
}
