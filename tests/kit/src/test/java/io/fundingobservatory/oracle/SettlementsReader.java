package io.fundingobservatory.oracle;

import io.fundingobservatory.oracle.KnownSettlements.Listing;
import io.fundingobservatory.oracle.KnownSettlements.Settlement;
import io.fundingobservatory.runtime.TopicReader;
import io.fundingobservatory.topics.Topics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the topic {@code settlements}, read committed: the last record of each listing and instant, and records that report nothing new. */
public final class SettlementsReader implements AutoCloseable {
    private static final int KEPT_VIOLATIONS = 20;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KnownSettlements known = new KnownSettlements();
    private final Map<Listing, String> assets = new HashMap<>();
    /** Contracts that got another asset publish their settlements once more, under that asset. */
    private final Set<Listing> moved = new HashSet<>();

    private boolean repeatsAreExpected;
    private final List<String> duplicates = new ArrayList<>();
    private long records;

    /** Begins at the beginning. */
    public SettlementsReader(String brokers) {
        consumer = RatesReader.consumer(brokers, Topics.SETTLEMENTS.name(), "read_committed");
    }

    /** Reads up to the present end. */
    public void advance() {
        new TopicReader<>(consumer).toEnd(record -> settlement(Json.object(record.value())));
    }

    private void settlement(Map<String, @Nullable Object> record) {
        records++;
        var listing = new Listing(
                (String) record.get("venue"),
                (String) record.get("symbol"),
                PairsModel.whole(record.get("listing_epoch")));
        long settledMs = PairsModel.whole(record.get("settled_ms"));
        var settlement =
                new Settlement((BigDecimal) record.get("funding_rate"), (String) record.get("basis"), (BigDecimal)
                        record.get("funding_interval_h"));
        String asset = (String) record.get("asset");
        Settlement before = known.put(listing, settledMs, settlement);
        if (!asset.equals(assets.getOrDefault(listing, asset))) {
            moved.add(listing);
        }
        assets.put(listing, asset);
        if (before != null
                && before.isSameAs(settlement)
                && !repeatsAreExpected
                && !moved.contains(listing)
                && duplicates.size() < KEPT_VIOLATIONS) {
            duplicates.add(listing + " at " + settledMs + " is on settlements twice");
        }
    }

    /** Streams is reset: records that report what the one before did are no violation any more. */
    public void repeatsAreExpected() {
        advance();
        repeatsAreExpected = true;
    }

    /** The last record of each instant. */
    public KnownSettlements known() {
        return known;
    }

    /** Records that report what the one before of their instant did; the first twenty. */
    public List<String> duplicates() {
        return List.copyOf(duplicates);
    }

    /** Records that were read. */
    public long records() {
        return records;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
