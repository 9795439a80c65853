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
 */
public final class KafkaWarnings extends Filter<ILoggingEvent> {
    private static final long EVERY_MS = 60_000;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** More kinds than Kafka's clients have in one process; the one shown longest ago is forgotten. */
    private static final int KINDS = 500;

    private final Map<String, Long> shownAtMs = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > KINDS;
        }
    };

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
            return FilterReply.NEUTRAL;
        }
        String kind = event.getLoggerName()
                + ' '
                + event.getLevel()
                + ' '
                + NUMBER.matcher(String.valueOf(event.getMessage())).replaceAll("");
        return isDue(kind, event.getTimeStamp()) ? FilterReply.NEUTRAL : FilterReply.DENY;
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
