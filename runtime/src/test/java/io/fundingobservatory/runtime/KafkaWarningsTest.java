package io.fundingobservatory.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class KafkaWarningsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final String AWAY = "[Producer clientId=a] Connection to node {} could not be established";

    private final LoggerContext context = new LoggerContext();
    private final KafkaWarnings filter = new KafkaWarnings();

    private boolean shows(String logger, Level level, String message, Object value, int second) {
        var event = new LoggingEvent("test", context.getLogger(logger), level, message, null, new Object[] {value});
        event.setInstant(NOW.plusSeconds(second));
        return filter.decide(event) != FilterReply.DENY;
    }

    @Test
    void showsOneKindOnceAMinute() {
        int shown = 0;
        for (int second = 0; second < 180; second++) {
            shown += shows("NetworkClient", Level.WARN, AWAY, second, second) ? 1 : 0;
        }
        assertEquals(3, shown);
    }

    @Test
    void showsOtherKindsLoggersAndLevels() {
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 0));
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY.replace("=a", "=b"), 1, 1));
        assertEquals(true, shows("Sender", Level.WARN, AWAY, 1, 1));
        assertEquals(true, shows("NetworkClient", Level.ERROR, AWAY, 1, 1));
        assertEquals(false, shows("NetworkClient", Level.WARN, AWAY, 1, 2));
    }

    @Test
    void ignoresNumbersInMessages() {
        assertEquals(true, shows("OffsetFetcherUtils", Level.WARN, "not updating partition rates.latest-3", 1, 0));
        assertEquals(false, shows("OffsetFetcherUtils", Level.WARN, "not updating partition rates.latest-4", 1, 0));
        assertEquals(true, shows("OffsetFetcherUtils", Level.WARN, "not updating partition carry.pairs-4", 1, 0));
    }

    @Test
    void showsInfoEachTime() {
        assertEquals(true, shows("ConsumerCoordinator", Level.INFO, AWAY, 1, 0));
        assertEquals(true, shows("ConsumerCoordinator", Level.INFO, AWAY, 1, 1));
    }

    @Test
    void hidesNothingWhenClockIsSetBack() {
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 3_600));
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 0));
        assertEquals(false, shows("NetworkClient", Level.WARN, AWAY, 1, 59));
    }

    @Test
    void remembersBoundedNumberOfKinds() {
        for (int i = 0; i <= 500; i++) {
            assertEquals(true, shows("NetworkClient", Level.WARN, "x".repeat(i), 1, 0));
        }
        assertEquals(false, shows("NetworkClient", Level.WARN, "x".repeat(500), 1, 1));
        assertEquals(true, shows("NetworkClient", Level.WARN, "", 1, 1), "the oldest was forgotten");
    }

    @Test
    void showsMissingMetadataOnceItLasts() {
        String missing =
                "[Producer clientId=a] The metadata response from the cluster reported a recoverable issue with id {}";
        assertEquals(false, shows("NetworkClient", Level.WARN, missing, 1, 0));
        assertEquals(false, shows("NetworkClient", Level.WARN, missing, 1, 9));
        assertEquals(true, shows("NetworkClient", Level.WARN, missing, 1, 11));
        assertEquals(false, shows("NetworkClient", Level.WARN, missing, 1, 100), "another time");
    }

    @Test
    void explainsWarningsThatNeedNoAction() {
        try (var explained = new Explained()) {
            List<String> warnings = List.of(
                    "[QuorumController id=1] Performing controller activation. The metadata log appears to be empty.",
                    "Auto topic creation failed for {} with error 'TOPIC_ALREADY_EXISTS': exists",
                    "[TransactionCoordinator id=1] Connection to node 1 (/127.0.0.1:9092) could not be established.",
                    "[a] Attempting to close NetworkClient that has already been closed.",
                    "[b] Not updating last stable offset for partition {} as it is no longer assigned");
            for (String warning : warnings) {
                assertEquals(false, shows("Kafka", Level.WARN, warning, "rates.latest-0", 0), warning);
            }
            assertEquals(
                    warnings.size(), explained.lines().size(), explained.lines().toString());
            assertEquals(
                    "kafka warning without need for action event=\"the controller of this broker is active\"",
                    explained.lines().getFirst());
        }
    }

    @Test
    void showsBrokersThatAreAway() {
        String away = "[Consumer clientId=a] Connection to node 1 (/127.0.0.1:9092) could not be established.";
        assertEquals(true, shows("NetworkClient", Level.WARN, away, 1, 0));
    }

    @Test
    void explainsOnceAMinute() {
        try (var explained = new Explained()) {
            for (int second = 0; second < 120; second++) {
                shows("Kafka", Level.WARN, "Not updating last stable offset for partition {}", second, second);
            }
            assertEquals(2, explained.lines().size());
        }
    }

    @Test
    void showsOtherFailuresOfTopicCreation() {
        assertEquals(
                true,
                shows("Kafka", Level.WARN, "Auto topic creation failed for {} with error 'TIMED_OUT'", "topic", 0));
    }

    /** Lines that the filter logs in place of a warning. */
    private static final class Explained implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger(KafkaWarnings.class);
        private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

        Explained() {
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(appender);
            appender.start();
        }

        List<String> lines() {
            return appender.list.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }

        @Override
        public void close() {
            logger.detachAppender(appender);
            logger.setLevel(null);
            logger.setAdditive(true);
        }
    }
}
