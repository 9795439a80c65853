package io.fundingobservatory.topics.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Instant;
import org.junit.jupiter.api.Test;

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
    void aKindIsShownOnceAMinuteWhateverItsValues() {
        int shown = 0;
        for (int second = 0; second < 180; second++) {
            shown += shows("NetworkClient", Level.WARN, AWAY, second, second) ? 1 : 0;
        }
        assertEquals(3, shown);
    }

    @Test
    void otherKindsLoggersAndLevelsAreNotHeldBack() {
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 0));
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY.replace("=a", "=b"), 1, 1));
        assertEquals(true, shows("Sender", Level.WARN, AWAY, 1, 1));
        assertEquals(true, shows("NetworkClient", Level.ERROR, AWAY, 1, 1));
        assertEquals(false, shows("NetworkClient", Level.WARN, AWAY, 1, 2));
    }

    @Test
    void aNumberWithinTheMessageMakesNoKind() {
        assertEquals(true, shows("OffsetFetcherUtils", Level.WARN, "not updating partition rates.latest-3", 1, 0));
        assertEquals(false, shows("OffsetFetcherUtils", Level.WARN, "not updating partition rates.latest-4", 1, 0));
        assertEquals(true, shows("OffsetFetcherUtils", Level.WARN, "not updating partition carry.pairs-4", 1, 0));
    }

    @Test
    void whatIsNoWarningIsShownEachTime() {
        assertEquals(true, shows("ConsumerCoordinator", Level.INFO, AWAY, 1, 0));
        assertEquals(true, shows("ConsumerCoordinator", Level.INFO, AWAY, 1, 1));
    }

    @Test
    void aClockThatIsSetBackHidesNothing() {
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 3_600));
        assertEquals(true, shows("NetworkClient", Level.WARN, AWAY, 1, 0));
        assertEquals(false, shows("NetworkClient", Level.WARN, AWAY, 1, 59));
    }

    @Test
    void whatIsRememberedIsBounded() {
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
    void leavesOutOffsetsOfTablesThatAreNotYetAssigned() {
        String message =
                "[Consumer clientId=a] Not updating last stable offset for partition {} as it is no longer assigned";
        assertEquals(false, shows("OffsetFetcherUtils", Level.WARN, message, "rates.latest-0", 0));
    }
}
