package io.fundingobservatory.streams.processors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.carry.Contract;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.PairEvent;
import io.fundingobservatory.streams.formats.PairEventFormat;
import io.fundingobservatory.streams.formats.Routed;
import io.fundingobservatory.streams.ledger.LedgerEnds;
import io.fundingobservatory.streams.ledger.Stores;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.streams.window.PairTableProcessor;
import io.fundingobservatory.streams.window.QualityProcessor;
import io.fundingobservatory.streams.window.WorkBudget;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that is revived closes its processors and initialises the same ones again, after an aborted transaction. */
class ProcessorLifeCycleTest {
    private static final long T0 = 1_790_000_000_000L;
    private static final CountedMetrics METRICS = new CountedMetrics();
    private static final BrokerClock CLOCK = new BrokerClock(() -> T0);
    private static final WorkBudget BUDGET = new WorkBudget(() -> T0);

    @TempDir
    Path directory;

    static Stream<Arguments> processors() {
        return Stream.of(
                Arguments.of(
                        new QuoteProcessor(METRICS, CLOCK, OpenVenues.LISTED),
                        List.of(Stores.contracts(), Stores.payments())),
                Arguments.of(
                        new PairTableProcessor(METRICS, CLOCK, BUDGET),
                        List.of(Stores.assetContracts(), Stores.assetPayments(), Stores.tableDigests())),
                Arguments.of(
                        new QualityProcessor(METRICS, CLOCK, BUDGET),
                        List.of(Stores.errorHistograms(), Stores.qualities())));
    }

    @ParameterizedTest
    @MethodSource("processors")
    <V> void fiftyRevivalsLeaveOneSchedule(
            Processor<byte[], byte[], byte[], V> processor, List<StoreBuilder<?>> stores) {
        MockProcessorContext<byte[], V> context = context(stores);
        processor.init(context);
        for (int revival = 0; revival < 50; revival++) {
            processor.close();
            processor.init(context);
        }
        List<CapturedPunctuator> left = context.scheduledPunctuators().stream()
                .filter(p -> !p.cancelled())
                .toList();
        assertEquals(51, context.scheduledPunctuators().size());
        assertEquals(1, left.size());
        processor.close();
        assertTrue(context.scheduledPunctuators().stream().allMatch(CapturedPunctuator::cancelled));
    }

    /** A contract of the aborted transaction is in memory and no longer in the store: after the revival it is in neither. */
    @Test
    void aRevivedTaskKnowsOnlyWhatItsStoresHold() {
        var processor = new PairTableProcessor(METRICS, CLOCK, BUDGET);
        MockProcessorContext<byte[], byte[]> context =
                context(List.of(Stores.assetContracts(), Stores.assetPayments(), Stores.tableDigests()));
        processor.init(context);
        list(processor, 0, 4);
        KeyValueStore<byte[], PairEvent.ContractListed> contracts = context.getStateStore(Stores.ASSET_CONTRACTS);
        var keys = new java.util.ArrayList<byte[]>();
        try (var all = contracts.all()) {
            all.forEachRemaining(row -> keys.add(row.key));
        }
        assertEquals(4, keys.size());
        keys.forEach(contracts::delete); // the transaction is aborted
        processor.close();
        processor.init(context);
        assertTrue(CLOCK.certain());
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertEquals(List.of(), context.forwarded(), "no table of contracts that were never committed");
    }

    /** After a start only those tables are computed whose contracts or payments have changed since. */
    @Test
    void aStartComputesOnlyWhatHasChanged() {
        var counts = new CountedMetrics();
        var processor = new PairTableProcessor(counts, CLOCK, BUDGET);
        MockProcessorContext<byte[], byte[]> context =
                context(List.of(Stores.assetContracts(), Stores.assetPayments(), Stores.tableDigests()));
        processor.init(context);
        list(processor, 0, 4);
        tick(context);
        assertEquals(1, counts.of("tabled"));
        processor.close();
        processor.init(context);
        tick(context);
        assertEquals(1, counts.of("tabled"), "nothing has changed");
        processor.close();
        processor.init(context);
        list(processor, 4, 5);
        processor.close(); // before any tick
        processor.init(context);
        tick(context);
        assertEquals(2, counts.of("tabled"), "another contract has come");
        assertEquals(2, context.forwarded().size());
    }

    private static void tick(MockProcessorContext<byte[], byte[]> context) {
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
    }

    /** 8 MB are some 350 contracts of one name: the table before would stand with its old window, and look current. */
    @Test
    void aTableThatOutgrowsItsTopicIsWithdrawn() {
        var nowMs = new long[] {T0};
        var clock = new BrokerClock(() -> nowMs[0]);
        var processor = new PairTableProcessor(METRICS, clock, new WorkBudget(() -> nowMs[0]));
        MockProcessorContext<byte[], byte[]> context =
                context(List.of(Stores.assetContracts(), Stores.assetPayments(), Stores.tableDigests()));
        processor.init(context);
        list(processor, 0, 4);
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertNotNull(context.forwarded().getLast().record().value());
        list(processor, 4, 500);
        nowMs[0] += 10_000;
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertEquals(2, context.forwarded().size());
        assertNull(context.forwarded().getLast().record().value());
        assertArrayEquals(
                "BTC".getBytes(UTF_8), context.forwarded().getLast().record().key());
        assertEquals(1, METRICS.of("too large"));
    }

    /** The broker of one partition is six minutes slow: what it takes is not of the future. */
    @Test
    void aSlowBrokerRejectsNoSettlement() throws Exception {
        var clock = new BrokerClock(() -> T0);
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(BrokerClock.input(Topics.SETTLEMENTS_RAW, partition), T0 - (partition == 5 ? 360_000 : 0));
        }
        var processor = new SettlementProcessor(METRICS, clock, LedgerEnds.UNKNOWN);
        MockProcessorContext<byte[], byte[]> context = context(List.of(Stores.contracts(), Stores.payments()));
        context.setRecordMetadata(Topics.SETTLEMENTS_RAW.name(), 5, 0);
        processor.init(context);
        var settled = new SettledRate(
                "okx", "BTC-USDT-SWAP", T0, BigDecimal.ONE.movePointLeft(4), RateUnit.FRACTION, null, null, null, T0);
        byte[] key = settled.key().toString().getBytes(UTF_8);
        processor.process(new Record<>(key, SettledRate.CODEC.encode(settled), T0 - 360_000));
        assertEquals(List.of(), context.forwarded(), "a payment of a contract without a quote waits in the store");
        var late = new SettledRate(
                "okx", "BTC-USDT-SWAP", T0 + 360_000, settled.rate(), RateUnit.FRACTION, null, null, null, T0);
        processor.process(new Record<>(key, SettledRate.CODEC.encode(late), T0 - 360_000));
        assertEquals("refused", context.forwarded().getFirst().childName().orElseThrow());
    }

    private static void list(PairTableProcessor processor, int from, int to) {
        for (int i = from; i < to; i++) {
            var key = new ContractKey(
                    ListedVenue.ALL.get(i % ListedVenue.ALL.size()).id(), "BTC-" + i);
            var event = new PairEvent.ContractListed(
                    new Contract(
                            key, 0, Long.MIN_VALUE, "BTC", "USDT", ContractType.LINEAR, BigDecimal.ONE, BigDecimal.TEN),
                    T0);
            processor.process(
                    new Record<>(event.assetKey(), PairEventFormat.EVENTS.write(new Routed<>(i % 6, event)), T0));
        }
    }

    private <V> MockProcessorContext<byte[], V> context(List<StoreBuilder<?>> builders) {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "life-cycle");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], V>(config, new TaskId(0, 0), directory.toFile());
        for (StoreBuilder<?> builder : builders) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        return context;
    }
}
