package io.fundingobservatory.streams.clock;

import io.fundingobservatory.topics.Topics;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Order in which a task reads its waiting records: Kafka Streams takes the one with the lowest time.
 *
 * <p>The published ledger is read back before anything else. Quotes then go before the settled rates that
 * came up to half an hour before them. A backfill of 30 days is millions of records. Rows that waited behind
 * it would be stale before they are shown. Settled rates are read whenever no quote waits, and after half an
 * hour in any case.
 *
 * <p>So a quote's time is lower than the broker's stamp; {@link #arrivalMs} gives the stamp back.
 */
public final class ReadingOrder implements TimestampExtractor {
    static final long QUOTES_AHEAD_MS = Duration.ofMinutes(30).toMillis();

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
        // without a stamp it takes the place of the one before it
        return record.timestamp() < 0 ? Math.max(0, partitionTimeMs) : timeMs(record.topic(), record.timestamp());
    }

    /**
     * The time that Kafka Streams is to know a record by, epoch ms.
     *
     * @param stampMs when the broker took it, epoch ms
     */
    static long timeMs(String topic, long stampMs) {
        return topic.equals(Topics.SETTLEMENTS.name()) ? 0 : Math.max(0, stampMs - aheadMs(topic));
    }

    /**
     * When the broker took a record.
     *
     * @param topic of the record
     * @param timeMs the time that Kafka Streams knows it by, epoch ms
     */
    public static long arrivalMs(String topic, long timeMs) {
        return Math.max(0, timeMs) + aheadMs(topic);
    }

    private static long aheadMs(String topic) {
        return topic.equals(Topics.QUOTES_RAW.name()) ? QUOTES_AHEAD_MS : 0;
    }
}
