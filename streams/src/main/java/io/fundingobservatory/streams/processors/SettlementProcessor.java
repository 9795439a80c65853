package io.fundingobservatory.streams.processors;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.Normalised;
import io.fundingobservatory.streams.core.Normaliser;
import io.fundingobservatory.streams.core.RecordReading;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.ledger.ContractLedger;
import io.fundingobservatory.streams.ledger.LedgerEnds;
import io.fundingobservatory.streams.ledger.LedgerRestore;
import io.fundingobservatory.streams.ledger.Outputs;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.ledger.StreamsMetrics;
import io.fundingobservatory.streams.ledger.TickerIdentity;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.time.Duration;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Turns bytes into a settlement that a venue published, and the settlement into a payment of its contract; or
 * into a dead letter. It also reads the published ledger back ({@link LedgerRestore}), up to its end at the
 * start of the process ({@link LedgerEnds}).
 */
public final class SettlementProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final String OWN_LEDGER = Topics.SETTLEMENTS.name();
    private static final String STAGE = "read-settlement";
    private static final String IN_THE_FUTURE = "settled_in_the_future";
    private static final String BEFORE_ALL_TIME = "settled_before_1970";
    private static final long CLOCKS_AGREE_WITHIN_MS = Duration.ofMinutes(5).toMillis();

    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final LedgerEnds ledgerEnds;

    @SuppressWarnings("NullAway.Init") // given by init, before the first record
    private ProcessorContext<byte[], byte[]> context;

    @SuppressWarnings("NullAway.Init")
    private KeyValueStore<byte[], ContractState> contracts;

    @SuppressWarnings("NullAway.Init")
    private ContractLedger ledger;

    @SuppressWarnings("NullAway.Init")
    private LedgerRestore restore;

    public SettlementProcessor(StreamsMetrics metrics, BrokerClock clock, LedgerEnds ledgerEnds) {
        this.metrics = metrics;
        this.clock = clock;
        this.ledgerEnds = ledgerEnds;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        contracts = context.getStateStore(Stores.CONTRACTS);
        ledger = new ContractLedger(metrics, clock, context, context.getStateStore(Stores.PAYMENTS));
        restore = new LedgerRestore(metrics, contracts, ledger);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata from = context.recordMetadata().orElse(null);
        if (from != null && from.topic().equals(OWN_LEDGER)) {
            if (ledgerEnds.stoodAtStart(from.partition(), from.offset())) {
                restore.read(record);
            }
            return;
        }
        int partition = from == null ? 0 : from.partition();
        int input = BrokerClock.input(Topics.SETTLEMENTS_RAW, partition);
        clock.arrived(input, record.timestamp());
        Header schema = record.headers().lastHeader(Topic.SCHEMA_HEADER);
        switch (RecordReading.read(
                SettledRate.CODEC,
                SettlementProcessor::ownKey,
                record.key(),
                record.value(),
                schema == null ? null : schema.value())) {
            case RecordReading.Read<SettledRate>(SettledRate settled) -> settled(record, settled, input);
            case RecordReading.Unreadable<SettledRate>(String reason, String detail) -> refuse(record, reason, detail);
        }
    }

    private static String ownKey(SettledRate settled) {
        return settled.venue() + '|' + settled.symbol();
    }

    /** A payment to come would stand until the real one replaces it, so it is refused. */
    private void settled(Record<byte[], byte[]> record, SettledRate settled, int input) {
        if (settled.settledMs() > clock.arrivedMs(record.timestamp()) + CLOCKS_AGREE_WITHIN_MS) {
            refuse(record, IN_THE_FUTURE, "an exchange publishes what it has charged");
        } else if (settled.settledMs() < 0) {
            refuse(record, BEFORE_ALL_TIME, "not an instant");
        } else {
            switch (Normaliser.settled(settled)) {
                case Normalised.Paid(BigDecimal fundingRate) -> pay(record, settled, fundingRate, input);
                case Normalised.Unclear(String reason) ->
                    refuse(record, reason, "a settlement that cannot be told as a fraction");
            }
        }
    }

    private void pay(Record<byte[], byte[]> record, SettledRate settled, BigDecimal fundingRate, int input) {
        var payment = new Payment(
                Payment.onTheMinute(settled.settledMs()),
                fundingRate,
                ListedVenue.of(settled.venue()).historyReach().basis(),
                settled.intervalH(),
                settled.observedAtMs());
        ContractState state = contracts.get(record.key());
        ledger.begin(record.key(), settled.key(), record.timestamp(), input);
        ledger.enter(TickerIdentity.of(state), state == null ? null : state.listing(), payment, settled.settledMs());
        ledger.write();
    }

    private void refuse(Record<byte[], byte[]> record, String reason, String detail) {
        metrics.refused(STAGE, reason);
        context.forward(DeadLetter.of(record, STAGE, reason, detail, context.recordMetadata()), Outputs.REFUSED);
    }
}
