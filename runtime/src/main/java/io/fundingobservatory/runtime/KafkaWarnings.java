package io.fundingobservatory.runtime;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Log filter: shows warnings of Kafka's clients and brokers once a minute for each logger and kind of
 * message. A client that retries an absent broker warns many times a second.
 *
 * <p>The kind is the message without its values and numbers: some messages contain partitions.
 *
 * <p>Some warnings come at every start or stop and need no action. An INFO line that explains them is logged
 * in their place. A client that requests metadata of a new topic warns until its leader is known. That
 * warning is shown unchanged once it lasts for 10 s.
 */
public final class KafkaWarnings extends Filter<ILoggingEvent> {
    private static final long EVERY_MS = 60_000;
    private static final long LASTING_MS = 10_000;
    private static final String RECOVERABLE = "recoverable issue";

    /**
     * A warning that needs no action.
     *
     * @param texts all of them are in its message
     * @param event what has happened
     */
    private record Normal(List<String> texts, String event) {}

    private static final List<Normal> NORMAL = List.of(
            new Normal(List.of("Performing controller activation"), "the controller of this broker is active"),
            new Normal(
                    List.of("Auto topic creation failed", "TOPIC_ALREADY_EXISTS"),
                    "two requests created an internal topic; the second found it"),
            new Normal(
                    List.of("Attempting to close NetworkClient that has already been closed"),
                    "the broker closed a connection twice at its stop"),
            new Normal(
                    List.of("[TransactionCoordinator id=", "could not be established"),
                    "the broker stopped while it ended a transaction; it does so at its next start"),
            new Normal(
                    List.of("Failed to delete state store directory", "for it is not empty"),
                    "local stores were removed; the file that names their process stays"),
            // Kafka Streams reads the end of a global table before it assigns the table to the consumer.
            new Normal(List.of("Not updating last stable offset"), "the end of a table was read before its assignment"),
            new Normal(List.of(RECOVERABLE), "waiting for the leader of a new topic"));
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
        String normal = normal(event);
        if (normal != null) {
            if (isDue(normal, event.getTimeStamp())) {
                // Not kept: one that is made while logging is being set up is mute until the set-up has ended.
                LoggerFactory.getLogger(KafkaWarnings.class)
                        .info("kafka warning without need for action event=\"{}\"", normal);
            }
            return FilterReply.DENY;
        }
        String kind = event.getLoggerName()
                + ' '
                + event.getLevel()
                + ' '
                + NUMBER.matcher(message).replaceAll("");
        return isDue(kind, event.getTimeStamp()) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    /** What has happened where a warning needs no action; null where it does. */
    private @Nullable String normal(ILoggingEvent event) {
        String message = String.valueOf(event.getFormattedMessage());
        for (Normal normal : NORMAL) {
            if (normal.texts().stream().allMatch(message::contains)) {
                return normal.texts().contains(RECOVERABLE) && lasts(event.getTimeStamp()) ? null : normal.event();
            }
        }
        return null;
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
