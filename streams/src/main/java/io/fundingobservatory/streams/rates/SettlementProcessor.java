package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.normalisation.Normaliser;
import io.fundingobservatory.streams.processing.RecordProcessor;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.StreamsMetrics.Count;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Turns bytes into a settlement that a venue published, and the settlement into an event of its contract; or
 * into a dead letter. The application {@code pairs} decides which settlement is news.
 */
public final class SettlementProcessor extends RecordProcessor<SettledRate> {
    private static final String STAGE = "read-settlement";
    private static final String IN_THE_FUTURE = "settled_in_the_future";
    private static final long CLOCKS_AGREE_WITHIN_MS = Duration.ofMinutes(5).toMillis();

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private KeyValueStore<byte[], ContractState> contracts;

    public SettlementProcessor(StreamsMetrics metrics) {
        super(metrics, STAGE, SettledRate.CODEC, settled -> settled.venue() + '|' + settled.symbol());
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        super.init(context);
        contracts = context.getStateStore(ContractState.STORE);
    }

    /** A settlement to come would count until the real one replaces it, so it is rejected. */
    @Override
    protected void take(Record<byte[], byte[]> record, SettledRate settled) {
        if (settled.settledMs() > record.timestamp() + CLOCKS_AGREE_WITHIN_MS) {
            reject(record, STAGE, IN_THE_FUTURE, "an exchange publishes what it has charged");
        } else {
            switch (Normaliser.settled(settled)) {
                case Normaliser.Accepted(BigDecimal fundingRate) -> report(record, settled, fundingRate);
                case Normaliser.Rejected(String reason) ->
                    reject(record, STAGE, reason, "a settlement that cannot be expressed as a fraction");
            }
        }
    }

    private void report(Record<byte[], byte[]> record, SettledRate settled, BigDecimal fundingRate) {
        var settlement = new KnownSettlement(
                KnownSettlement.onTheMinute(settled.settledMs()),
                fundingRate,
                ListedVenue.of(settled.venue()).historyReach().basis(),
                settled.intervalH(),
                settled.observedAtMs());
        ContractState state = contracts.get(record.key());
        Listing listing = state == null ? null : state.listing();
        boolean ofFormerListing = listing != null && settlement.settledMs() <= listing.sinceMs();
        if (ofFormerListing || settlement.settledMs() < ListingFollower.oldestMs(record.timestamp(), listing)) {
            metrics.count(Count.LATE);
            return;
        }
        ContractEvent event = ContractEvents.settlement(settled.key(), listing, settlement, settled.settledMs());
        context().forward(ContractEvents.record(event, record.timestamp()), RatesTopology.CONTRACT_EVENTS);
    }
}
