package io.fundingobservatory.streams.clock;

import static io.fundingobservatory.streams.clock.TopicVotes.MOST_FORWARD_MS;

import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The time as the brokers tell it: what most partitions of {@code quotes.raw} agree on, plus what a steady clock has counted since
 * ({@link TopicVotes}). Where no quotes are read, those of {@code settlements.raw} tell it.
 *
 * <p>What is done for good waits until that is certain: only then are rows removed, windows moved on and payments refused as too old. A
 * time that was wrong is gone two minutes after its stamps. While older records wait to be read, their stamps hold the time back. One
 * clock serves all tasks of a process.
 */
public final class BrokerClock {
    private static final int QUOTES_PARTITIONS = Topics.QUOTES_RAW.partitions();

    /** A stamp further behind is that of a record that has waited. */
    private static final long BROKER_SLOW_BY_MS = 15 * 60_000;

    private final LongSupplier steadyMs;
    private final TopicVotes quotes = new TopicVotes(QUOTES_PARTITIONS);
    private final TopicVotes settlements = new TopicVotes(Topics.SETTLEMENTS_RAW.partitions());

    public BrokerClock(LongSupplier steadyMs) {
        this.steadyMs = steadyMs;
    }

    /** One number for each partition of the input topics. */
    public static int input(Topic<?> topic, int partition) {
        return topic.equals(Topics.QUOTES_RAW) ? partition : QUOTES_PARTITIONS + partition;
    }

    /** A record of an input partition ({@link #input}), with the stamp that its broker gave it. */
    public synchronized void arrived(int input, long stampMs) {
        TopicVotes topic = input < QUOTES_PARTITIONS ? quotes : settlements;
        topic.arrived(input, stampMs, steadyMs.getAsLong());
    }

    /** Whether what follows from the time, and cannot be taken back, may be done. */
    public synchronized boolean certain() {
        long own = steadyMs.getAsLong();
        return quotes.certain(own) || settlements.certain(own);
    }

    /** Whether an instant is the present, within two minutes. */
    public boolean isNow(long epochMs) {
        return certain() && Math.abs(nowMs() - epochMs) <= MOST_FORWARD_MS;
    }

    /**
     * When a record arrived, epoch ms: as its broker stamped it, or now where the stamp is a little behind that. One broker's clock may be
     * slow, and a record must not count as one of the future for it.
     */
    public long arrivedMs(long stampMs) {
        long aheadMs = certain() ? nowMs() - stampMs : 0;
        return aheadMs > 0 && aheadMs <= BROKER_SLOW_BY_MS ? stampMs + aheadMs : stampMs;
    }

    /** The time, epoch ms; the process's own before the first record. */
    public synchronized long nowMs() {
        long own = steadyMs.getAsLong();
        return Stream.of(quotes, settlements)
                .filter(topic -> topic.certain(own))
                .findFirst()
                .or(() -> Stream.of(quotes, settlements)
                        .filter(topic -> !topic.isEmpty())
                        .findFirst())
                .map(topic -> own + topic.aheadMs())
                .orElse(own);
    }

    /** The process's own time, epoch ms: right where its clock was right at its start, and it never jumps. */
    public long ownMs() {
        return steadyMs.getAsLong();
    }
}
