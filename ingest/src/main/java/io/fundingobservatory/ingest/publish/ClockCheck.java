package io.fundingobservatory.ingest.publish;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this process's clock with the brokers'. A broker stamps a record when it appends it. That is between
 * sending and acknowledgement, or one of the two clocks is wrong. It is ours while the last records of most
 * partition leaders contradict it.
 */
final class ClockCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ClockCheck.class);
    private static final long TOLERANCE_MS = 60_000;

    /** Milliseconds by which our clock is ahead of each leader's, negative when it is behind; 0 within the tolerance. */
    private final Map<Integer, Long> aheadMs = new ConcurrentHashMap<>();

    private volatile @Nullable String problem;

    /** Takes the stamp of a record between the times, by our clock, of its sending and its acknowledgement; epoch ms. */
    synchronized void acknowledged(int leader, long sentMs, long stampMs, long acknowledgedMs) {
        long ahead = stampMs < sentMs - TOLERANCE_MS
                ? sentMs - stampMs
                : stampMs > acknowledgedMs + TOLERANCE_MS ? acknowledgedMs - stampMs : 0;
        if (ahead == 0 && problem != null) {
            aheadMs.clear(); // the others have had no record since, and their stamps are of another time
        }
        aheadMs.put(leader, ahead);
        long contradicting = aheadMs.values().stream().filter(ms -> ms != 0).count();
        boolean wrong = contradicting * 2 > aheadMs.size();
        if (!wrong && problem != null) {
            LOG.info("clock agrees with the brokers again");
        } else if (wrong && problem == null) {
            LOG.error(
                    "clock differs from the brokers', nothing is published seconds_ahead={} leaders=\"{} of {}\"",
                    ahead / 1_000,
                    contradicting,
                    aheadMs.size());
        }
        problem = wrong
                ? "the clock is " + Math.abs(ahead) / 1_000 + " s " + (ahead > 0 ? "ahead of" : "behind")
                        + " the brokers': set it"
                : null;
    }

    /** What is wrong with our clock, in one line; null when it agrees with the brokers'. */
    @Nullable
    String problem() {
        return problem;
    }
}
