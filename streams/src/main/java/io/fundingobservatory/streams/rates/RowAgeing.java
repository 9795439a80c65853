package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.core.StreamsMetrics.Count;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Removes rows that were read more than 600 s ago from {@code rates.latest}. It deletes contracts that were
 * not read for 40 days, 5 more than any topic keeps of them. Contracts of a venue that has closed or is no
 * longer listed leave {@code rates.latest} and the pair tables at once. Where states were lost, rows of contracts
 * without a quote are removed 600 s after a start. Nothing is removed while the brokers' time is uncertain.
 *
 * <p>The first run after a start reports every contract to the pair tables, which may have lost their own.
 */
final class RowAgeing {
    static final Duration EVERY = Duration.ofSeconds(5);
    static final Duration FORGOTTEN_AFTER = Duration.ofDays(40);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ProcessorContext<byte[], byte[]> context;
    private final ContractStates contracts;
    private final OpenVenues venues;
    private boolean reported;
    private boolean swept;
    private long sinceMs = Long.MAX_VALUE;

    RowAgeing(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            ContractStates contracts,
            OpenVenues venues) {
        this.metrics = metrics;
        this.clock = clock;
        this.context = context;
        this.contracts = contracts;
        this.venues = venues;
    }

    void run() {
        if (!reported) {
            reported = true;
            contracts.forEach(this::report);
        }
        if (!clock.certain()) {
            return;
        }
        long nowMs = clock.nowMs();
        sinceMs = Math.min(sinceMs, nowMs);
        if (!swept && nowMs - sinceMs > Rate.REMOVED_AFTER_MS) {
            swept = true;
            contracts.eachRestored((key, restored) -> ageRestored(key, restored, nowMs));
        }
        contracts.forEach((key, state) -> {
            Listing listing = state.listing();
            if (listing != null) {
                ContractKey contract = ContractKey.parse(new String(key, UTF_8));
                if (venues.isOpen(contract.venue(), nowMs)) {
                    age(key, state, listing, nowMs);
                } else {
                    withdraw(key, contract, state, listing, nowMs);
                }
            }
        });
    }

    private void report(byte[] key, ContractState state) {
        Listing listing = state.listing();
        if (listing != null) {
            forward(ContractEvents.listed(ContractKey.parse(new String(key, UTF_8)), listing), clock.nowMs());
        }
    }

    private void forward(ContractEvent event, long nowMs) {
        context.forward(ContractEvents.record(event, nowMs), RatesTopology.CONTRACT_EVENTS);
    }

    private void withdraw(byte[] key, ContractKey contract, ContractState state, Listing listing, long nowMs) {
        contracts.delete(key);
        if (state.shown()) {
            removeRow(key, nowMs);
        }
        forward(ContractEvents.closed(contract, listing), nowMs);
    }

    private void age(byte[] key, ContractState state, Listing listing, long nowMs) {
        long ageMs = nowMs - listing.observedAtMs();
        boolean forgotten = ageMs > FORGOTTEN_AFTER.toMillis();
        boolean removed = state.shown() && ageMs > Rate.REMOVED_AFTER_MS;
        if (removed) {
            removeRow(key, nowMs);
        }
        if (forgotten) {
            contracts.delete(key);
        } else if (removed) {
            contracts.put(key, new ContractState(listing, state.restored(), state.lateObservation(), false));
        }
    }

    /** No quote of the contract has come since its state was lost. */
    private void ageRestored(byte[] key, ContractState state, long nowMs) {
        ContractState.Restored restored = state.restored();
        if (state.shown()) {
            removeRow(key, nowMs);
        }
        if (restored == null || nowMs - restored.newestMs() > FORGOTTEN_AFTER.toMillis()) {
            contracts.delete(key);
        } else if (state.shown()) {
            contracts.put(key, new ContractState(null, restored, null, false));
        }
    }

    private void removeRow(byte[] key, long nowMs) {
        metrics.count(Count.REMOVED);
        context.forward(new Record<>(key, null, nowMs), RatesTopology.LATEST);
    }
}
