package io.fundingobservatory.streams.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ReadingOrderTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private static long time(Topic<?> topic, long stampMs) {
        var record = new ConsumerRecord<Object, Object>(
                topic.name(),
                0,
                0,
                stampMs,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                "key",
                "value",
                new RecordHeaders(),
                Optional.empty());
        return new ReadingOrder().extract(record, 17);
    }

    @Test
    void theLedgerComesFirstThenQuotesAndHalfAnHourLaterSettledRatesInAnyCase() {
        assertEquals(0, time(Topics.SETTLEMENTS, NOW));
        assertTrue(time(Topics.QUOTES_RAW, NOW) < time(Topics.SETTLEMENTS_RAW, NOW - 29 * MINUTE));
        assertTrue(time(Topics.QUOTES_RAW, NOW) > time(Topics.SETTLEMENTS_RAW, NOW - 31 * MINUTE));
        assertTrue(time(Topics.QUOTES_RAW, NOW) < time(Topics.QUOTES_RAW, NOW + 1));
    }

    @Test
    void theBrokersStampComesBack() {
        for (Topic<?> topic : new Topic<?>[] {Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW}) {
            assertEquals(NOW, ReadingOrder.arrivalMs(topic.name(), time(topic, NOW)), topic.name());
        }
    }

    @Test
    void aRecordWithoutAStampFollowsTheOneBefore() {
        assertEquals(17, time(Topics.QUOTES_RAW, -1));
        assertEquals(17, time(Topics.SETTLEMENTS_RAW, -1));
    }
}
