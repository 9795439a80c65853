package io.fundingobservatory.streams.processors;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.topics.Rate;
import java.time.Duration;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Removes rows that were read more than 600 s ago from {@code rates.latest}, and forgets contracts that were not read for 40 days,
 * 5 more than any topic keeps of them. Nothing is removed while the brokers' time is uncertain.
 */
final class RowAgeing {
    static final Duration EVERY = Duration.ofSeconds(10);
    static final Duration FORGOTTEN_AFTER = Duration.ofDays(40);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ProcessorContext<byte[], byte[]> context;
    private final KeyValueStore<byte[], ContractState> contracts;

    RowAgeing(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            KeyValueStore<byte[], ContractState> contracts) {
        this.metrics = metrics;
        this.clock = clock;
        this.context = context;
        this.contracts = contracts;
    }

    void run() {
        if (!clock.certain()) {
            return;
        }
        long nowMs = clock.nowMs();
        try (KeyValueIterator<byte[], ContractState> all = contracts.all()) {
            while (all.hasNext()) {
                KeyValue<byte[], ContractState> row = all.next();
                Listing listing = row.value == null ? null : row.value.listing();
                if (listing != null) {
                    age(row.key, row.value, listing, nowMs);
                }
            }
        }
    }

    private void age(byte[] key, ContractState state, Listing listing, long nowMs) {
        long ageMs = nowMs - listing.observedAtMs();
        if (ageMs > FORGOTTEN_AFTER.toMillis()) {
            contracts.delete(key);
        } else if (state.shown() && ageMs > Rate.REMOVED_AFTER_MS) {
            contracts.put(key, new ContractState(listing, state.restored(), state.offReading(), false));
        } else {
            return;
        }
        if (state.shown()) {
            metrics.removed();
            context.forward(new Record<>(key, null, nowMs), Outputs.LATEST);
        }
    }
}
