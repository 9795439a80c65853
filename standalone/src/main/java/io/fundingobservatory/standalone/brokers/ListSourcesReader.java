package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.standalone.terminal.Stop;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RowMark;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads what a published list was made from: its record, its statuses and its rows. What is not kept any more stops the command. */
final class ListSourcesReader {
    /** Records are stamped by brokers, rows by {@code ingest}: clocks that differ by so much change nothing. */
    private static final long CLOCKS_DIFFER_MS = Duration.ofMinutes(10).toMillis();

    /** A list is served until the next one, seconds later. */
    private static final long SERVED_MS = Duration.ofMinutes(1).toMillis();

    private final RecordedTopics topics;

    ListSourcesReader(RecordedTopics topics) {
        this.topics = topics;
    }

    /**
     * Finds the newest lists that were generated at or before an instant. Gateways that had read the same rows published the same
     * list; others published lists with other tags.
     *
     * @param atMs epoch ms UTC
     * @return the lists of one time of generation, each tag once; never empty
     */
    List<PublishedList> lists(long atMs) {
        TopicPartition partition = onlyPartition(Topics.LISTS_PUBLISHED);
        var found = new ArrayList<ConsumerRecord<String, byte[]>>();
        var times = new LongSummaryStatistics();
        // Gateways write independently of each other, and later after a broker was away: the times are in no order.
        topics.read(partition, topics.first(partition), record -> {
            times.accept(record.timestamp());
            if (record.timestamp() <= atMs) {
                if (!found.isEmpty() && found.getFirst().timestamp() < record.timestamp()) {
                    found.clear();
                }
                if (found.isEmpty() || found.getFirst().timestamp() == record.timestamp()) {
                    found.add(record);
                }
            }
            return false;
        });
        if (times.getCount() == 0) {
            throw new Stop("no published list is recorded on these brokers");
        }
        if (found.isEmpty()) {
            throw new Stop("no list of " + Instant.ofEpochMilli(atMs) + " is kept; the oldest one is of "
                    + Instant.ofEpochMilli(times.getMin()));
        }
        if (atMs - times.getMax() > SERVED_MS) {
            throw new Stop("no list of " + Instant.ofEpochMilli(atMs) + " is recorded; the newest one is of "
                    + Instant.ofEpochMilli(times.getMax()));
        }
        var lists = new ArrayList<PublishedList>();
        for (ConsumerRecord<String, byte[]> record : found) {
            PublishedList list = RecordedTopics.value(Topics.LISTS_PUBLISHED, record);
            if (lists.stream().noneMatch(known -> known.tagOfAll().equals(list.tagOfAll()))) {
                lists.add(list);
            }
        }
        return lists;
    }

    /** The statuses that a list was made with, by venue. */
    Map<String, VenueStatus> statuses(PublishedList list) {
        var statuses = new HashMap<String, VenueStatus>();
        if (list.statuses().isEmpty()) {
            return statuses;
        }
        TopicPartition partition = onlyPartition(Topics.VENUES_STATUS_HISTORY);
        var venues = new HashMap<Long, String>();
        list.statuses().forEach((venue, offset) -> venues.put(offset, venue));
        long from = venues.keySet().stream().min(Long::compare).orElse(0L);
        if (from >= topics.first(partition)) {
            topics.read(partition, from, record -> {
                if (venues.remove(record.offset()) != null) {
                    VenueStatus status = RecordedTopics.value(Topics.VENUES_STATUS_HISTORY, record);
                    statuses.put(status.venue(), status);
                }
                return venues.isEmpty();
            });
        }
        if (!venues.isEmpty()) {
            throw new Stop(Topics.VENUES_STATUS_HISTORY.name() + " does not hold the status of "
                    + venues.values().iterator().next() + " any more");
        }
        return statuses;
    }

    /** The newest row of each contract that a list can show, up to the last rows that it was made from. */
    Collection<EncodedRow> rows(PublishedList list) {
        long oldestShownMs = list.asOfMs() - Rate.REMOVED_AFTER_MS;
        var rows = new ArrayList<EncodedRow>();
        for (RowMark mark : list.marks()) {
            var partition = new TopicPartition(Topics.RATES_NORMALISED.name(), Math.toIntExact(mark.partition()));
            OffsetAndTimestamp oldest = topics.at(partition, 0);
            if (topics.first(partition) > 0 && (oldest == null || oldest.timestamp() > oldestShownMs)) {
                throw new Stop("rows of " + Instant.ofEpochMilli(oldestShownMs) + " are needed, and "
                        + Topics.RATES_NORMALISED.name() + " does not keep them any more");
            }
            rows.addAll(rows(partition, mark, oldestShownMs));
        }
        return rows;
    }

    private Collection<EncodedRow> rows(TopicPartition partition, RowMark mark, long oldestShownMs) {
        var newest = new HashMap<String, EncodedRow>();
        OffsetAndTimestamp from = topics.at(partition, oldestShownMs - CLOCKS_DIFFER_MS);
        boolean reached = from != null
                && topics.read(partition, from.offset(), record -> {
                    EncodedRow row = row(record);
                    if (row == null) {
                        return false;
                    }
                    newest.put(record.key(), row);
                    return isMark(mark, row.rate());
                });
        if (reached) {
            return newest.values();
        }
        if (mark.observedAtMs() >= oldestShownMs) {
            throw new Stop("partition " + mark.partition() + " of " + Topics.RATES_NORMALISED.name()
                    + " does not hold the last row of the list: " + mark.venue() + '|' + mark.symbol() + " observed at "
                    + Instant.ofEpochMilli(mark.observedAtMs()));
        }
        // No row had arrived for so long that the list shows none of this partition.
        return List.of();
    }

    private static boolean isMark(RowMark mark, Rate row) {
        return row.venue().equals(mark.venue())
                && row.symbol().equals(mark.symbol())
                && row.observedAtMs() == mark.observedAtMs();
    }

    /** The row of a record; null where gateways leave it out as well: its bytes are no row, or one of another key. */
    private static @Nullable EncodedRow row(ConsumerRecord<String, byte[]> record) {
        byte @Nullable [] value = record.value();
        if (value == null) {
            return null;
        }
        try {
            Rate rate = Rate.CODEC.decode(value);
            return rate.key().toString().equals(record.key()) ? EncodedRow.stored(rate, value) : null;
        } catch (MalformedRecord | IllegalArgumentException e) {
            return null;
        }
    }

    private TopicPartition onlyPartition(Topic<?> topic) {
        List<TopicPartition> partitions = topics.partitions(topic);
        if (partitions.size() != 1) {
            throw new Stop("the topic " + topic.name() + " is not there; observatory topics --create creates it");
        }
        return partitions.getFirst();
    }
}
