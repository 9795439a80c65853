package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.processing.StoredJson;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.StreamsMetrics.Count;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Removes rows that were read more than 600 s ago from {@code rates.latest}. It deletes contracts that were
 * not read for 40 days, 5 more than any topic keeps of them. Contracts of a venue that has closed or is no
 * longer listed leave {@code rates.latest} and the pair tables at once.
 *
 * <p>The first run after a start reports every contract to the pair tables, which may have lost their own.
 */
final class RowAgeing {
    /** All contracts are decoded; the gateway leaves out rows of 600 s by itself. */
    static final Duration EVERY = Duration.ofSeconds(10);

    static final Duration FORGOTTEN_AFTER = Duration.ofDays(40);

    private final StreamsMetrics metrics;
    private final TaskTime time;
    private final ProcessorContext<byte[], byte[]> context;
    private final KeyValueStore<byte[], ContractState> contracts;
    private final OpenVenues venues;
    private boolean reported;

    RowAgeing(
            StreamsMetrics metrics,
            TaskTime time,
            ProcessorContext<byte[], byte[]> context,
            KeyValueStore<byte[], ContractState> contracts,
            OpenVenues venues) {
        this.metrics = metrics;
        this.time = time;
        this.context = context;
        this.contracts = contracts;
        this.venues = venues;
    }

    void run() {
        if (!time.isKnown()) {
            return;
        }
        long nowMs = time.nowMs();
        if (!reported) {
            reported = true;
            forEach((key, state) -> forward(ContractEvents.listed(contract(key), state.listing()), nowMs));
        }
        forEach((key, state) -> {
            ContractKey contract = contract(key);
            if (venues.isOpen(contract.venue(), nowMs)) {
                age(key, state, nowMs);
            } else {
                withdraw(key, contract, state, nowMs);
            }
        });
    }

    void forEach(BiConsumer<byte[], ContractState> each) {
        StoredJson.forEach(contracts.all(), each);
    }

    static ContractKey contract(byte[] key) {
        return ContractKey.parse(new String(key, UTF_8));
    }

    private void forward(ContractEvent event, long nowMs) {
        context.forward(ContractEvents.record(event, nowMs), RatesTopology.CONTRACT_EVENTS);
    }

    private void withdraw(byte[] key, ContractKey contract, ContractState state, long nowMs) {
        contracts.delete(key);
        if (state.shown()) {
            removeRow(key, nowMs);
        }
        forward(ContractEvents.closed(contract, state.listing()), nowMs);
    }

    private void age(byte[] key, ContractState state, long nowMs) {
        Listing listing = state.listing();
        long ageMs = nowMs - listing.observedAtMs();
        boolean removed = state.shown() && ageMs > Rate.REMOVED_AFTER_MS;
        if (removed) {
            removeRow(key, nowMs);
        }
        if (ageMs > FORGOTTEN_AFTER.toMillis()) {
            contracts.delete(key);
        } else if (removed) {
            contracts.put(key, new ContractState(listing, false));
        }
    }

    private void removeRow(byte[] key, long nowMs) {
        metrics.count(Count.REMOVED);
        context.forward(new Record<>(key, null, nowMs), RatesTopology.LATEST);
    }
}
