package io.fundingobservatory.topics.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Log filter: shows warnings of Kafka's clients and brokers once a minute for each logger and kind of
 * message. A client that retries an absent broker warns many times a second.
 *
 * <p>The kind is the message without its values and numbers: some messages contain partitions.
 *
 * <p>Two kinds are not logged at a start. Kafka Streams reads the end of a global table before it assigns the
 * table. The consumer then warns that it cannot keep that offset. A client that requests metadata of a new
 * topic warns until its leader is known. That warning is shown once it lasts for 10 s.
 */
public final class KafkaWarnings extends Filter<ILoggingEvent> {
    private static final long EVERY_MS = 60_000;
    private static final long LASTING_MS = 10_000;
    private static final String UNASSIGNED = "Not updating last stable offset";
    private static final String RECOVERABLE = "recoverable issue";
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** More kinds than Kafka's clients have in one process; the one shown longest ago is forgotten. */
    private static final int KINDS = 500;

    private final Map<String, Long> shownAtMs = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > KINDS;
        }
    };

    /** When metadata was first missed, and last; a pause of as long ends it. */
    private long missedSinceMs;

    private long missedMs = Long.MIN_VALUE;

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
            return FilterReply.NEUTRAL;
        }
        String message = String.valueOf(event.getMessage());
        if (message.contains(UNASSIGNED) || (message.contains(RECOVERABLE) && !lasts(event.getTimeStamp()))) {
            return FilterReply.DENY;
        }
        String kind = event.getLoggerName()
                + ' '
                + event.getLevel()
                + ' '
                + NUMBER.matcher(message).replaceAll("");
        return isDue(kind, event.getTimeStamp()) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private synchronized boolean lasts(long nowMs) {
        if (missedMs == Long.MIN_VALUE || Math.abs(nowMs - missedMs) > LASTING_MS) {
            missedSinceMs = nowMs;
        }
        missedMs = nowMs;
        return nowMs - missedSinceMs >= LASTING_MS;
    }

    private synchronized boolean isDue(String kind, long nowMs) {
        Long shown = shownAtMs.get(kind);
        // a clock that was set back must not keep a warning for as long
        if (shown != null && nowMs >= shown && nowMs - shown < EVERY_MS) {
            return false;
        }
        shownAtMs.remove(kind);
        shownAtMs.put(kind, nowMs);
        return true;
    }
}
