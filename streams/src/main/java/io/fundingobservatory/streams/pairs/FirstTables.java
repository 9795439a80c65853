package io.fundingobservatory.streams.pairs;

import java.time.Duration;

/**
 * When a task without any published table begins to make some. It waits while old settlements come again, as after a reset: tables of a
 * part of them would replace whole ones. They have ended when none came for a minute: a rebalance is a pause. Settlements that ingest
 * has just read, as the histories after a first start, delay no table: there is no whole one to replace.
 */
final class FirstTables {
    private static final Duration WAIT_AT_MOST = Duration.ofMinutes(20);

    private enum Phase {
        /** Rates may start later than this task. */
        NO_EVENT,
        /** The first event, or an old one, came since the last tick. */
        EVENTS,
        NO_OLD_EVENT,
        OVER
    }

    private final long pauseMs;
    private Phase phase;
    private long firstTickMs;
    private long pauseSinceMs;

    /**
     * Of a task that starts or is revived.
     *
     * @param pause without an old event is their end
     * @param published whether the task has a published table
     * @param listed whether it has a contract: its events may all have come before the task was revived
     */
    FirstTables(Duration pause, boolean published, boolean listed) {
        this.pauseMs = pause.toMillis();
        this.phase = published ? Phase.OVER : listed ? Phase.EVENTS : Phase.NO_EVENT;
    }

    /** Takes an event; an old one comes again. */
    void event(boolean old) {
        if (phase == Phase.NO_EVENT || (old && phase == Phase.NO_OLD_EVENT)) {
            phase = Phase.EVENTS;
        }
    }

    /** Whether tables wait at a tick, in ms of a clock that never jumps. */
    boolean waitAt(long tickMs) {
        if (firstTickMs == 0) {
            firstTickMs = tickMs;
        }
        if (phase == Phase.EVENTS) {
            phase = Phase.NO_OLD_EVENT;
            pauseSinceMs = tickMs;
        }
        if ((phase == Phase.NO_OLD_EVENT && tickMs - pauseSinceMs >= pauseMs)
                || tickMs - firstTickMs >= WAIT_AT_MOST.toMillis()) {
            phase = Phase.OVER;
        }
        return phase != Phase.OVER;
    }
}
