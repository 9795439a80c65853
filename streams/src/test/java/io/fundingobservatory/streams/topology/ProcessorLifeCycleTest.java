package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.carry.ReadTime;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.pairs.ArrivalProcessor;
import io.fundingobservatory.streams.pairs.EstimateError;
import io.fundingobservatory.streams.pairs.FormerTables;
import io.fundingobservatory.streams.pairs.LedgerProcessor;
import io.fundingobservatory.streams.pairs.MovedDay;
import io.fundingobservatory.streams.pairs.PairTableProcessor;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.pairs.QualityProcessor;
import io.fundingobservatory.streams.rates.ContractHistory;
import io.fundingobservatory.streams.rates.ContractStates;
import io.fundingobservatory.streams.rates.QuoteProcessor;
import io.fundingobservatory.streams.rates.SettlementProcessor;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
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
import org.junit.jupiter.params.provider.ValueSource;

/** A task that is revived closes its processors and initialises the same ones again, after an aborted transaction. */
class ProcessorLifeCycleTest {
    private static final long T0 = 1_790_000_000_000L;
    private static final CountedMetrics METRICS = new CountedMetrics();
    private static final BrokerClock CLOCK = new BrokerClock(() -> T0, Topics.CONTRACT_EVENTS);
    private static final List<StoreBuilder<?>> OF_PAIRS = PairsStores.builders();

    @TempDir
    Path directory;

    private int contexts;

    static Stream<Arguments> processors() {
        return Stream.of(
                Arguments.of(
                        new QuoteProcessor(METRICS, CLOCK, new ReadTime(), OpenVenues.LISTED, ContractHistory.NONE),
                        List.of(ContractStates.builder())),
                Arguments.of(new PairTableProcessor(METRICS, CLOCK, FormerTables.NONE), OF_PAIRS),
                Arguments.of(new QualityProcessor(METRICS, CLOCK), OF_PAIRS));
    }

    @ParameterizedTest
    @MethodSource("processors")
    <V> void fiftyRevivalsLeaveTheFirstSchedules(
            Processor<byte[], byte[], byte[], V> processor, List<StoreBuilder<?>> stores) {
        MockProcessorContext<byte[], V> context = context(stores);
        processor.init(context);
        int schedules = context.scheduledPunctuators().size();
        for (int revival = 0; revival < 50; revival++) {
            processor.close();
            processor.init(context);
        }
        List<CapturedPunctuator> left = context.scheduledPunctuators().stream()
                .filter(p -> !p.cancelled())
                .toList();
        assertEquals(51 * schedules, context.scheduledPunctuators().size());
        assertEquals(schedules, left.size());
        processor.close();
        assertTrue(context.scheduledPunctuators().stream().allMatch(CapturedPunctuator::cancelled));
    }

    /** An asset of the aborted transaction is in memory and no longer in a store: after the revival it is in neither. */
    @Test
    void revivedTaskKnowsOnlyItsStores() {
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        var tables = new PairTableProcessor(METRICS, CLOCK, FormerTables.NONE);
        tables.init(context);
        list(context, tables, 0, 4);
        KeyValueStore<byte[], ?> contracts = context.getStateStore(PairsStores.CONTRACTS);
        var keys = new ArrayList<byte[]>();
        try (var all = contracts.all()) {
            all.forEachRemaining(row -> keys.add(row.key));
        }
        assertEquals(4, keys.size());
        keys.forEach(contracts::delete); // the transaction is aborted
        tables.close();
        tables.init(context);
        context.resetForwards();
        assertTrue(CLOCK.certain());
        tick(context);
        assertEquals(List.of(), context.forwarded(), "no table of contracts that were never committed");
    }

    /** After a start only those tables are computed whose contracts or settlements have changed since. */
    @Test
    void aStartComputesOnlyWhatHasChanged() {
        var counts = new CountedMetrics();
        var tables = new PairTableProcessor(counts, CLOCK, FormerTables.NONE);
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        tables.init(context);
        list(context, tables, 0, 4);
        tick(context);
        assertEquals(1, counts.of("tabled"));
        tables.close();
        tables.init(context);
        tick(context);
        assertEquals(1, counts.of("tabled"), "nothing has changed");
        tables.close();
        tables.init(context);
        list(context, tables, 4, 5);
        tables.close(); // before any tick
        tables.init(context);
        tick(context);
        assertEquals(2, counts.of("tabled"), "another contract has come");
    }

    /** A task that ends while it moves its tables to the next window goes on with the rest of them. */
    @Test
    void startMovesTablesOfFormerWindow() {
        var nowMs = new long[] {T0, 0};
        // Each look at the clock takes so long.
        var clock = new BrokerClock(() -> nowMs[0] += nowMs[1], Topics.CONTRACT_EVENTS);
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(Topics.CONTRACT_EVENTS, partition, T0);
        }
        var counts = new CountedMetrics();
        var tables = new PairTableProcessor(counts, clock, FormerTables.NONE);
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        tables.init(context);
        list(context, tables, 0, 4);
        list(context, tables, "ETH", 4, 8);
        tick(context);
        assertEquals(2, counts.of("tabled"));
        nowMs[0] += Window.HOUR_MS;
        nowMs[1] = 60;
        tick(context);
        assertEquals(3, counts.of("tabled"), "one of two within the time of a tick");
        nowMs[1] = 0;
        tables.close();
        tables.init(context);
        tick(context);
        assertEquals(4, counts.of("tabled"));
    }

    private static void tick(MockProcessorContext<byte[], byte[]> context) {
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
    }

    /** 8 MB are some 350 contracts of one name: the table before would stay with its old window, and look current. */
    @Test
    void aTableThatOutgrowsItsTopicIsWithdrawn() {
        var nowMs = new long[] {T0};
        var clock = new BrokerClock(() -> nowMs[0], Topics.CONTRACT_EVENTS);
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(Topics.CONTRACT_EVENTS, partition, T0);
        }
        var tables = new PairTableProcessor(METRICS, clock, FormerTables.NONE);
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        tables.init(context);
        list(context, tables, 0, 4);
        context.resetForwards();
        tick(context);
        assertNotNull(context.forwarded().getLast().record().value());
        list(context, tables, 4, 500);
        nowMs[0] += 10_000;
        context.resetForwards();
        tick(context);
        assertEquals(1, context.forwarded().size());
        assertNull(context.forwarded().getLast().record().value());
        assertArrayEquals(
                "BTC".getBytes(UTF_8), context.forwarded().getLast().record().key());
        assertEquals(1, METRICS.of("too large"));
    }

    /** Digests were lost with the stores: a published table whose asset nobody reports any more is deleted. */
    @Test
    void deletesPublishedTablesOfAssetsThatAreGone() {
        var settled = new Restored(0, "GONE", Long.MIN_VALUE, T0);
        var former = FormerTables.of(Set.of("BTC", "GONE", "LOST"), Map.of(new ContractKey("okx", "GONE-1"), settled));
        List<Integer> partitions = List.of(0, 1, 2, 3, 4, 5);
        var deleted = new ArrayList<String>();
        for (int partition : partitions) {
            var tables = new PairTableProcessor(METRICS, CLOCK, former);
            MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS, partition);
            tables.init(context);
            CapturedPunctuator end = context.scheduledPunctuators().getLast();
            list(context, tables, 0, 1);
            // Its published settlements are loaded, and no contract of it is reported.
            tables.process(new Record<>("GONE".getBytes(UTF_8), new byte[0], T0));
            end.getPunctuator().punctuate(0);
            context.forwarded().forEach(forward -> {
                assertNull(forward.record().value());
                deleted.add(new String((byte[]) forward.record().key(), UTF_8));
            });
            tables.close();
        }
        assertEquals(List.of("GONE", "LOST"), deleted.stream().sorted().toList());
    }

    /** Killed before all contracts were reported: the next process lost no store, and knows the published table nevertheless. */
    @Test
    void laterProcessDeletesPublishedTableThatIsGone() {
        int partition = Utils.toPositive(Utils.murmur2("GONE".getBytes(UTF_8))) % Topics.CARRY_PAIRS.partitions();
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS, partition);
        new PairTableProcessor(METRICS, CLOCK, FormerTables.of(Set.of("GONE"), Map.of())).init(context);
        assertEquals(List.of(), context.forwarded());
        new PairTableProcessor(METRICS, CLOCK, FormerTables.NONE).init(context);
        tick(context);
        assertEquals(1, context.forwarded().size());
        assertArrayEquals(
                "GONE".getBytes(UTF_8), context.forwarded().getFirst().record().key());
        assertNull(context.forwarded().getFirst().record().value());
    }

    /** The contract that is not reported within ten minutes is not waited for again when the task is revived. */
    @Test
    void revivedTaskWaitsForNoFormerContract() {
        var counts = new CountedMetrics();
        var settled = new Restored(0, "BTC", Long.MIN_VALUE, T0);
        var former = FormerTables.of(Set.of("BTC"), Map.of(contract(0), settled, contract(9), settled));
        var tables = new PairTableProcessor(counts, CLOCK, former);
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        tables.init(context);
        list(context, tables, 0, 2);
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        tables.close();
        tables.init(context);
        list(context, tables, 2, 3);
        tick(context);
        assertEquals(1, counts.of("tabled"));
    }

    /** Stores were lost. A table of the contracts that are reported so far would lack the pairs of the others. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTableThatStandsWaitsForItsContracts(boolean reportedAtLast) {
        var clock = new BrokerClock(() -> T0, Topics.CONTRACT_EVENTS);
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(Topics.CONTRACT_EVENTS, partition, T0);
        }
        var ledger = new HashMap<ContractKey, Restored>();
        for (int i = 0; i < 4; i++) {
            ledger.put(contract(i), new Restored(0, "BTC", Long.MIN_VALUE, T0));
        }
        ledger.put(
                contract(4),
                new Restored(0, "BTC", Long.MIN_VALUE, T0 - 2 * Window.DAY_MS)); // nobody lists it any more
        var counts = new CountedMetrics();
        var tables = new PairTableProcessor(counts, clock, FormerTables.of(Set.of("BTC"), ledger));
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        tables.init(context);
        CapturedPunctuator ticks = context.scheduledPunctuators().get(1);
        CapturedPunctuator end = context.scheduledPunctuators().getLast();
        list(context, tables, 0, 3);
        ticks.getPunctuator().punctuate(0);
        assertEquals(0, counts.of("tabled"), "one of four contracts is not reported");
        if (reportedAtLast) {
            list(context, tables, 3, 4);
        } else {
            end.getPunctuator().punctuate(0);
        }
        ticks.getPunctuator().punctuate(0);
        assertEquals(1, counts.of("tabled"));
    }

    /** Its venues move to another instance; the stamps of partitions that are read elsewhere would hold the time back. */
    @Test
    void closedQualitiesVoteNoMore() {
        var clock = new BrokerClock(() -> T0, Topics.CONTRACT_EVENTS);
        var qualities = new QualityProcessor(METRICS, clock);
        qualities.init(context(OF_PAIRS));
        var error = new EstimateError(contract(0), LedgerSettlement.onTheMinute(T0), BigDecimal.ONE, null, 3);
        qualities.process(new Record<>(error.venueKey(), EstimateError.FORMAT.write(error), T0 - Window.HOUR_MS));
        assertEquals(T0 - Window.HOUR_MS, clock.nowMs());
        qualities.close();
        assertEquals(T0, clock.nowMs());
    }

    /** No day of settlements can store such a number: nothing of the record is kept. */
    @Test
    void rejectsListingNumbersBeyond32Bits() {
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS);
        context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), 0, 0);
        var ledger = new LedgerProcessor(METRICS, CLOCK);
        ledger.init(context);
        long settledMs = LedgerSettlement.onTheMinute(T0);
        for (ContractEvent event : List.of(
                listed("BTC", 0, 0),
                ContractEvent.expected(contract(0), "BTC", 0, settledMs, BigDecimal.ONE, T0),
                listed("BTC", 0, 1L << 31))) {
            ledger.process(new Record<>("BTC".getBytes(UTF_8), ContractEvent.CODEC.encode(event), T0));
        }
        assertEquals("rejected", context.forwarded().getLast().childName().orElseThrow());
        KeyValueStore<byte[], PricedContract> contracts = context.getStateStore(PairsStores.CONTRACTS);
        try (var all = contracts.all()) {
            assertEquals(0, all.next().value.contract().listingEpoch());
        }
    }

    /** The broker of one partition is six minutes slow: what it takes is not of the future. */
    @Test
    void aSlowBrokerRejectsNoSettlement() throws Exception {
        var clock = new BrokerClock(() -> T0, Topics.SETTLEMENTS_RAW);
        for (int partition = 0; partition < 6; partition++) {
            clock.arrived(Topics.SETTLEMENTS_RAW, partition, T0 - (partition == 5 ? 360_000 : 0));
        }
        var processor = new SettlementProcessor(METRICS, clock, ContractHistory.NONE);
        MockProcessorContext<byte[], byte[]> context = context(List.of(ContractStates.builder()));
        context.setRecordMetadata(Topics.SETTLEMENTS_RAW.name(), 5, 0);
        processor.init(context);
        var settled = new SettledRate(
                "okx", "BTC-USDT-SWAP", T0, BigDecimal.ONE.movePointLeft(4), RateUnit.FRACTION, null, null, null, T0);
        byte[] key = settled.key().toString().getBytes(UTF_8);
        processor.process(new Record<>(key, SettledRate.CODEC.encode(settled), T0 - 360_000));
        assertEquals(
                "contract-events", context.forwarded().getFirst().childName().orElseThrow());
        context.resetForwards();
        var late = new SettledRate(
                "okx", "BTC-USDT-SWAP", T0 + 360_000, settled.rate(), RateUnit.FRACTION, null, null, null, T0);
        processor.process(new Record<>(key, SettledRate.CODEC.encode(late), T0 - 360_000));
        assertEquals("rejected", context.forwarded().getFirst().childName().orElseThrow());
    }

    /** An error that becomes known on arrival is stamped by a partition other than the one that it arrives in. */
    @Test
    void arrivedErrorsHaveNoStampOfTheirOwn() {
        MockProcessorContext<byte[], byte[]> context = context(OF_PAIRS, 3);
        var key = new ContractKey("okx", "BTC-USDT-SWAP");
        long settledMs = LedgerSettlement.onTheMinute(T0);
        var settled = ContractEvent.settlement(
                key,
                "BTC",
                0,
                settledMs,
                settledMs,
                new BigDecimal("0.0003"),
                Basis.SETTLED,
                BigDecimal.valueOf(8),
                false,
                T0);
        var ledger = new LedgerProcessor(METRICS, CLOCK);
        ledger.init(context);
        context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), 3, 0);
        ledger.process(new Record<>("BTC".getBytes(UTF_8), ContractEvent.CODEC.encode(settled), T0));
        context.resetForwards();
        var day = new SettlementDay(SettlementDay.of(settledMs));
        var estimate = new LedgerSettlement(
                settledMs, new BigDecimal("0.0001"), Basis.ESTIMATE, BigDecimal.valueOf(8), settledMs - 9);
        day.enter(settledMs, SettlementDay.Entry.of(0, estimate, settledMs));
        var moved = new MovedDay(key, 0, Long.MIN_VALUE, day);
        var arrivals = new ArrivalProcessor(METRICS);
        arrivals.init(context);
        arrivals.process(new Record<>("BTC".getBytes(UTF_8), MovedDay.FORMAT.write(moved), T0));
        var errors = context.forwarded().stream()
                .filter(forward -> forward.childName().orElseThrow().equals("estimate-errors"))
                .map(forward ->
                        EstimateError.FORMAT.read((byte[]) forward.record().value()))
                .toList();
        assertEquals(
                List.of(new EstimateError(key, settledMs, new BigDecimal("0.0002"), null, EstimateError.UNTIMED)),
                errors);
    }

    /** So many contracts of one asset become known to the ledger, and the table processor receives what it reports. */
    private static ContractKey contract(int i) {
        return new ContractKey(ListedVenue.ALL.get(i % ListedVenue.ALL.size()).id(), "BTC-" + i);
    }

    private static ContractEvent listed(String asset, int i, long listingEpoch) {
        return ContractEvent.listed(
                contract(i),
                asset,
                listingEpoch,
                null,
                "USDT",
                ContractType.LINEAR,
                BigDecimal.ONE,
                BigDecimal.TEN,
                T0);
    }

    private static void list(
            MockProcessorContext<byte[], byte[]> context, PairTableProcessor tables, int from, int to) {
        list(context, tables, "BTC", from, to);
    }

    private static void list(
            MockProcessorContext<byte[], byte[]> context, PairTableProcessor tables, String asset, int from, int to) {
        var ledger = new LedgerProcessor(METRICS, CLOCK);
        ledger.init(context);
        for (int i = from; i < to; i++) {
            var event = listed(asset, i, 0);
            context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), i % 6, i);
            context.resetForwards();
            ledger.process(new Record<>(asset.getBytes(UTF_8), ContractEvent.CODEC.encode(event), T0));
            context.forwarded().forEach(forward -> {
                assertEquals("outdated-tables", forward.childName().orElseThrow());
                tables.process(new Record<>(forward.record().key(), new byte[0], T0));
            });
        }
        context.resetForwards();
    }

    private <V> MockProcessorContext<byte[], V> context(List<StoreBuilder<?>> builders) {
        return context(builders, 0);
    }

    private <V> MockProcessorContext<byte[], V> context(List<StoreBuilder<?>> builders, int partition) {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "life-cycle");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], V>(
                config,
                new TaskId(0, partition),
                directory.resolve(Integer.toString(contexts++)).toFile());
        for (StoreBuilder<?> builder : builders) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        return context;
    }
}
