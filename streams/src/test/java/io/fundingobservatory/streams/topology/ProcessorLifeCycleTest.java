package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.carry.PricedContract;
import io.fundingobservatory.streams.pairs.ContractEventProcessor;
import io.fundingobservatory.streams.pairs.PairTableProcessor;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.pairs.QualityProcessor;
import io.fundingobservatory.streams.processing.TaskTime;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that is revived closes its processors and initialises the same ones again, after an aborted transaction. */
class ProcessorLifeCycleTest {
    private static final long T0 = 1_790_000_000_000L;
    private static final CountedMetrics METRICS = new CountedMetrics();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Of a clock that stands still: the time is that of the last record. */
    private final Map<TaskId, TaskTime> times = new HashMap<>();

    private static final Duration WAITS = Duration.ofMinutes(1);

    /** More than five minutes. */
    private static final Duration OLD = Duration.ofMinutes(5).plusMillis(1);

    private long steadyMs;
    private static final List<StoreBuilder<?>> OF_PAIRS = PairsStores.builders();

    @TempDir
    Path directory;

    private int contexts;
    private final CountedMetrics counts = new CountedMetrics();
    private final PairTableProcessor tables = new PairTableProcessor(counts, this::time, WAITS);
    private MockProcessorContext<byte[], byte[]> context;

    @BeforeEach
    void open() {
        context = context(OF_PAIRS);
    }

    private TaskTime time(TaskId task) {
        return times.computeIfAbsent(task, each -> new TaskTime(() -> steadyMs));
    }

    static Stream<Arguments> processors() {
        return Stream.of(
                Arguments.of(new PairTableProcessor(METRICS, task -> new TaskTime(() -> T0), WAITS), OF_PAIRS),
                Arguments.of(new QualityProcessor(METRICS, () -> T0), OF_PAIRS));
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
        tables.init(context);
        list(0, 4);
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
        tick();
        assertEquals(List.of(), context.forwarded(), "no table of contracts that were never committed");
    }

    /** After a start only those tables are computed whose contracts or settlements have changed since. */
    @Test
    void aStartComputesOnlyWhatHasChanged() {
        tables.init(context);
        list(0, 4);
        tick();
        assertEquals(1, counts.of("tabled"));
        tables.close();
        tables.init(context);
        tick();
        assertEquals(1, counts.of("tabled"), "nothing has changed");
        tables.close();
        tables.init(context);
        list(4, 5);
        tables.close(); // before any tick
        tables.init(context);
        tick();
        assertEquals(2, counts.of("tabled"), "another contract has come");
    }

    /** A task that ends while the window has moved goes on with tables of the former one. */
    @Test
    void startMovesTablesOfFormerWindow() {
        tables.init(context);
        list(0, 4);
        list("ETH", 4, 8);
        tick();
        assertEquals(2, counts.of("tabled"));
        steadyMs += Window.HOUR_MS;
        tables.close(); // before a tick of the next hour
        tables.init(context);
        tick();
        assertEquals(4, counts.of("tabled"));
    }

    /** After a reset: a table of the settlements that have come again so far would replace a whole one. */
    @Test
    void tablesWaitWhileOldSettlementsComeAgain() {
        tables.init(context);
        list(0, 4);
        tickAt(Duration.ZERO);
        tables.close();
        tables.init(context); // killed amid the reset: no table is published, so it still waits
        tickAt(Duration.ZERO);
        changed(OLD);
        tickAt(MINUTE);
        changed(OLD.minusMillis(1));
        tickAt(MINUTE.plusSeconds(59));
        assertEquals(0, counts.of("tabled"), "a pause, as while another instance takes over");
        tickAt(MINUTE.multipliedBy(2));
        assertEquals(1, counts.of("tabled"), "new settlements delay no table");
        changed(OLD);
        steadyMs += 10_000;
        tickAt(MINUTE.multipliedBy(2).plusSeconds(11));
        assertEquals(2, counts.of("tabled"), "once a table is published none waits");
    }

    /** Killed after the last event, a task gets no further one for up to an hour. */
    @Test
    void minuteOfRevivedTaskNeedsNoEvent() {
        tables.init(context);
        list(0, 4);
        tables.close();
        tables.init(context);
        tickAt(Duration.ZERO);
        tickAt(Duration.ofSeconds(59));
        assertEquals(0, counts.of("tabled"));
        tickAt(MINUTE);
        assertEquals(1, counts.of("tabled"));
    }

    /** Events of an asset that were read so long ago. */
    private void changed(Duration ago) {
        tables.process(new Record<>("BTC".getBytes(UTF_8), new byte[0], T0 - ago.toMillis()));
    }

    private void tickAt(Duration at) {
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(T0 + at.toMillis());
    }

    /** A first tick, and one after the minute of a task without any table. */
    private void tick() {
        tickAt(Duration.ZERO);
        tickAt(MINUTE);
    }

    /** 8 MB are some 350 contracts of one name: the table before would stay with its old window, and look current. */
    @Test
    void aTableThatOutgrowsItsTopicIsWithdrawn() {
        tables.init(context);
        list(0, 4);
        context.resetForwards();
        tick();
        assertNotNull(context.forwarded().getLast().record().value());
        list(4, 500);
        steadyMs += 10_000;
        context.resetForwards();
        tick();
        assertEquals(1, context.forwarded().size());
        assertNull(context.forwarded().getLast().record().value());
        assertArrayEquals(
                "BTC".getBytes(UTF_8), context.forwarded().getLast().record().key());
        assertEquals(1, counts.of("too large"));
    }

    /** No day of settlements can store such a number: nothing of the record is kept. */
    @Test
    void rejectsListingNumbersBeyond32Bits() {
        context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), 0, 0);
        var ledger = new ContractEventProcessor(METRICS, this::time);
        ledger.init(context);
        long settledMs = KnownSettlement.onTheMinute(T0);
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

    private void list(int from, int to) {
        list("BTC", from, to);
    }

    private void list(String asset, int from, int to) {
        var ledger = new ContractEventProcessor(METRICS, this::time);
        ledger.init(context);
        for (int i = from; i < to; i++) {
            var event = listed(asset, i, 0);
            context.setRecordMetadata(Topics.CONTRACT_EVENTS.name(), i % 6, i);
            context.resetForwards();
            ledger.process(new Record<>(asset.getBytes(UTF_8), ContractEvent.CODEC.encode(event), T0));
            context.forwarded().forEach(forward -> {
                assertEquals("pair-tables", forward.childName().orElseThrow());
                assertEquals(T0, forward.record().timestamp(), "when it was observed");
                tables.process(new Record<>(forward.record().key(), new byte[0], T0));
            });
        }
        context.resetForwards();
    }

    private <V> MockProcessorContext<byte[], V> context(List<StoreBuilder<?>> builders) {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "life-cycle");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], V>(
                config,
                new TaskId(0, 0),
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
