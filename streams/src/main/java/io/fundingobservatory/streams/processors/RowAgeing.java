package io.fundingobservatory.streams.processors;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.ledger.ContractLedger;
import io.fundingobservatory.streams.ledger.ContractStates;
import io.fundingobservatory.streams.ledger.Outputs;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Removes rows that were read more than 600 s ago from {@code rates.latest}. It deletes contracts that were
 * not read for 40 days, 5 more than any topic keeps of them. Contracts of a venue that has closed or is no
 * longer listed leave {@code rates.latest} and the pair tables at once. Nothing is removed while the brokers'
 * time is uncertain.
 */
final class RowAgeing {
    static final Duration EVERY = Duration.ofSeconds(5);
    static final Duration FORGOTTEN_AFTER = Duration.ofDays(40);

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ProcessorContext<byte[], byte[]> context;
    private final ContractStates contracts;
    private final ContractLedger ledger;
    private final OpenVenues venues;

    RowAgeing(
            StreamsMetrics metrics,
            BrokerClock clock,
            ProcessorContext<byte[], byte[]> context,
            ContractStates contracts,
            ContractLedger ledger,
            OpenVenues venues) {
        this.metrics = metrics;
        this.clock = clock;
        this.context = context;
        this.contracts = contracts;
        this.ledger = ledger;
        this.venues = venues;
    }

    void run() {
        if (!clock.certain()) {
            return;
        }
        long nowMs = clock.nowMs();
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

    private void withdraw(byte[] key, ContractKey contract, ContractState state, Listing listing, long nowMs) {
        contracts.delete(key);
        if (state.shown()) {
            metrics.removed();
            context.forward(new Record<>(key, null, nowMs), Outputs.LATEST);
        }
        ledger.begin(key, contract, nowMs, Routed.UNTIMED);
        ledger.removed(listing.asset());
        ledger.write();
    }

    private void age(byte[] key, ContractState state, Listing listing, long nowMs) {
        long ageMs = nowMs - listing.observedAtMs();
        boolean forgotten = ageMs > FORGOTTEN_AFTER.toMillis();
        boolean removed = state.shown() && ageMs > Rate.REMOVED_AFTER_MS;
        if (removed) {
            metrics.removed();
        }
        if (forgotten) {
            contracts.delete(key);
        } else if (removed) {
            contracts.put(key, new ContractState(listing, state.restored(), state.offReading(), false));
        }
        if (removed) {
            context.forward(new Record<>(key, null, nowMs), Outputs.LATEST);
        }
    }
}
