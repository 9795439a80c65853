package io.fundingobservatory.streams.ledger;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.EstimateError;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** What one record means to the ledger topic, the pair tables and the qualities: gathered, and forwarded once it is written. */
final class LedgerEvents {
    private static final Headers SETTLEMENT_SCHEMA = new RecordHeaders().add(Topics.SETTLEMENTS.schemaHeader());

    private final ProcessorContext<byte[], byte[]> context;
    private final List<Output> outputs = new ArrayList<>();
    private byte[] key = {};
    private ContractKey contract = new ContractKey("none", "none");
    private long stampMs;
    private int input;

    private record Output(Record<byte[], byte[]> record, String child) {}

    LedgerEvents(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
    }

    /**
     * Begins with a record of one contract.
     *
     * @param stampMs the time that outputs are stamped with, epoch ms
     * @param input the partition whose time that is ({@link BrokerClock#input}), or {@link Routed#UNTIMED}
     */
    void begin(byte[] key, ContractKey contract, long stampMs, int input) {
        this.key = key;
        this.contract = contract;
        this.stampMs = stampMs;
        this.input = input;
        outputs.clear();
    }

    void forward() {
        outputs.forEach(output -> context.forward(output.record, output.child));
        outputs.clear();
    }

    /** The contract is listed, or what is published of it has changed. */
    void listed(Listing listing) {
        tell(new PairEvent.ContractListed(
                Contract.of(contract, listing), listing.published().atMs()));
    }

    /** The ticker stands for another asset from now on. */
    void removed(String formerAsset) {
        tell(new PairEvent.ContractRemoved(contract, formerAsset));
    }

    /** A payment came due; what was charged is another event. */
    void expected(Listing listing, long settledMs) {
        tell(new PairEvent.SettlementExpected(contract, listing.epoch(), listing.asset(), settledMs));
    }

    /** A payment that is new, or better known than before. */
    void paid(TickerIdentity ticker, Payment payment, long rawMs) {
        Settlement settlement = settlement(ticker, payment, rawMs);
        byte[] value = Settlement.CODEC.encode(settlement);
        outputs.add(new Output(new Record<>(key, value, stampMs, SETTLEMENT_SCHEMA), Outputs.SETTLEMENTS));
        recorded(settlement);
    }

    /** A payment that stands published already. */
    void recorded(TickerIdentity ticker, Payment payment, long rawMs) {
        recorded(settlement(ticker, payment, rawMs));
    }

    void recorded(Settlement settlement) {
        tell(new PairEvent.SettlementRecorded(settlement));
    }

    /** |settled − estimate| at an instant, fraction of notional per 8 hours. */
    void estimateError(long settledMs, BigDecimal error, @Nullable BigDecimal before) {
        var event = new EstimateError(contract, settledMs, error, before);
        byte[] value = EstimateError.FORMAT.write(new Routed<>(input, event));
        outputs.add(new Output(new Record<>(event.venueKey(), value, stampMs), Outputs.ESTIMATE_ERRORS));
    }

    private void tell(PairEvent event) {
        byte[] value = PairEventFormat.EVENTS.write(new Routed<>(input, event));
        outputs.add(new Output(new Record<>(event.assetKey(), value, stampMs), Outputs.PAIR_EVENTS));
    }

    private Settlement settlement(TickerIdentity ticker, Payment payment, long rawMs) {
        return new Settlement(
                contract.venue(),
                contract.symbol(),
                ticker.epoch(),
                ticker.asset(),
                payment.settledMs(),
                rawMs,
                payment.rate(),
                payment.basis(),
                payment.intervalH(),
                payment.observedAtMs());
    }
}
