package io.fundingobservatory.streams.clock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.streams.carry.ReadTime;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.rates.ContractHistory;
import io.fundingobservatory.streams.rates.ContractStates;
import io.fundingobservatory.streams.rates.QuoteProcessor;
import io.fundingobservatory.streams.rates.SettlementProcessor;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two of six partitions are led by a broker whose clock is two days ahead. The first records that a process
 * reads after its start come from just these two. Nothing irreversible may be done by their time.
 */
class PartitionLeadersAheadTest {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final long NOW = 1_790_000_000_000L / HOUR * HOUR + HOUR / 2;
    private static final List<Integer> AHEAD = List.of(0, 3);

    private final CountedMetrics metrics = new CountedMetrics();
    private long own = NOW;
    private final BrokerClock clock = new BrokerClock(() -> own, Topics.QUOTES_RAW, Topics.SETTLEMENTS_RAW);
    private final QuoteProcessor quotes =
            new QuoteProcessor(metrics, clock, new ReadTime(), OpenVenues.LISTED, ContractHistory.NONE);
    private final SettlementProcessor settlements = new SettlementProcessor(metrics, clock, ContractHistory.NONE);
    private MockProcessorContext<byte[], byte[]> ofQuotes;
    private MockProcessorContext<byte[], byte[]> ofSettlements;

    @TempDir
    Path directory;

    @BeforeEach
    void start() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "ahead");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        ofQuotes = new MockProcessorContext<>(config, new TaskId(0, 0), directory.toFile());
        ofSettlements = new MockProcessorContext<>(config, new TaskId(0, 0), directory.toFile());
        for (var builder : List.of(ContractStates.builder())) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(ofQuotes.getStateStoreContext(), store);
            ofQuotes.addStateStore(store);
            ofSettlements.addStateStore(store);
        }
        quotes.init(ofQuotes);
        settlements.init(ofSettlements);
    }

    /** Also on a machine so slow that ten seconds later nobody else has voted, and their time is believed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10_000})
    void takesSettlementAtBeginningOfWindow(int laterMs) {
        Quote quote = SeededQuotes.plausible(1, NOW);
        for (int partition : AHEAD) {
            read(quotes, ofQuotes, Topics.QUOTES_RAW, partition, quote.key().toString(), Quote.CODEC.encode(quote));
        }
        own += laterMs;
        assertEquals(laterMs > 0, clock.certain());
        // 30 days and 8 hours old: at the edge of the window, and older than 31 days by a time of the day after
        // tomorrow.
        var settled = new SettledRate(
                quote.venue(),
                quote.symbol(),
                NOW / HOUR * HOUR - 30 * DAY - 8 * HOUR,
                new BigDecimal("0.0001"),
                RateUnit.FRACTION,
                null,
                null,
                null,
                NOW);
        read(
                settlements,
                ofSettlements,
                Topics.SETTLEMENTS_RAW,
                1,
                settled.key().toString(),
                SettledRate.CODEC.encode(settled));
        assertEquals(0, metrics.of("late"));
        assertEquals(1, forwards(ofSettlements, "contract-events"));
    }

    @Test
    void noRowIsRemoved() {
        Quote quote = SeededQuotes.plausible(1, NOW);
        for (int partition : AHEAD) {
            read(quotes, ofQuotes, Topics.QUOTES_RAW, partition, quote.key().toString(), Quote.CODEC.encode(quote));
        }
        for (int partition = 0; partition < 6; partition++) {
            read(quotes, ofQuotes, Topics.QUOTES_RAW, partition, quote.key().toString(), Quote.CODEC.encode(quote));
            ofQuotes.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
        }
        assertTrue(clock.certain());
        assertEquals(1, forwards(ofQuotes, "rates-latest"), "the row, and no tombstone");
    }

    /** The clock of the process was a month ahead at its start: the rows that its stores hold wait for the brokers' time. */
    @Test
    void nothingAgesBeforeTimeIsCertain() {
        Quote quote = SeededQuotes.plausible(1, NOW);
        read(quotes, ofQuotes, Topics.QUOTES_RAW, 1, quote.key().toString(), Quote.CODEC.encode(quote));
        ofQuotes.resetForwards();
        var restarted = new QuoteProcessor(
                metrics,
                new BrokerClock(() -> NOW + 30 * DAY, Topics.QUOTES_RAW),
                new ReadTime(),
                OpenVenues.LISTED,
                ContractHistory.NONE);
        restarted.init(ofQuotes);
        ofQuotes.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertEquals(0, forwards(ofQuotes, "rates-latest"));
        ofQuotes.resetForwards();

        Quote other = SeededQuotes.plausible(2, NOW);
        for (int partition = 0; partition < 6; partition++) {
            read(restarted, ofQuotes, Topics.QUOTES_RAW, partition, other.key().toString(), Quote.CODEC.encode(other));
        }
        ofQuotes.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertEquals(1, forwards(ofQuotes, "rates-latest"), "the other row, and no tombstone");
        ContractState kept = ofQuotes.<KeyValueStore<byte[], ContractState>>getStateStore(ContractStates.STORE)
                .get(quote.key().toString().getBytes(UTF_8));
        assertTrue(kept.shown());
    }

    /** After a rebuild the ledger reports contracts that no venue lists any more. */
    @Test
    void deletesContractsThatOnlyOldSettlementsReport() {
        KeyValueStore<byte[], ContractState> states = ofQuotes.getStateStore(ContractStates.STORE);
        byte[] old = "okx|OLD".getBytes(UTF_8);
        byte[] newer = "okx|NEWER".getBytes(UTF_8);
        states.put(old, restored(NOW - 41 * DAY));
        states.put(newer, restored(NOW - 39 * DAY));
        Quote quote = SeededQuotes.plausible(1, NOW);
        for (int partition : new int[] {1, 2, 4, 5}) {
            read(quotes, ofQuotes, Topics.QUOTES_RAW, partition, quote.key().toString(), Quote.CODEC.encode(quote));
        }
        assertTrue(clock.certain());
        ofQuotes.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
        ofQuotes.resetForwards();
        own += Rate.REMOVED_AFTER_MS + 1;
        ofQuotes.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
        assertNull(states.get(old));
        assertNotNull(states.get(newer));
    }

    /** States were lost, and one contract was delisted meanwhile: its row would stay on the topic for ever. */
    @Test
    void removesRowWhoseContractNeverComesBack() {
        var gone = IntStream.range(0, 100)
                .mapToObj(i -> new ContractKey("okx", "GONE-" + i))
                .filter(key -> Utils.toPositive(Utils.murmur2(key.toString().getBytes(UTF_8))) % 6 == 0)
                .findFirst()
                .orElseThrow();
        var history =
                new ContractHistory(Map.of(gone, new ContractState.Restored(0, "BTC", Long.MIN_VALUE, NOW - HOUR)));
        var rebuilt = new QuoteProcessor(metrics, clock, new ReadTime(), OpenVenues.LISTED, history);
        rebuilt.init(ofQuotes);
        Quote quote = SeededQuotes.plausible(1, NOW);
        for (int partition : new int[] {1, 2, 4, 5}) {
            read(rebuilt, ofQuotes, Topics.QUOTES_RAW, partition, quote.key().toString(), Quote.CODEC.encode(quote));
        }
        for (long[] tick : new long[][] {{0, 0}, {Rate.REMOVED_AFTER_MS + 1, 1}, {5_000, 0}}) {
            own += tick[0];
            ofQuotes.resetForwards();
            ofQuotes.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
            long removed = ofQuotes.forwarded().stream()
                    .map(CapturedForward::record)
                    .filter(row -> row.value() == null && new String(row.key(), UTF_8).equals(gone.toString()))
                    .count();
            assertEquals(tick[1], removed);
        }
    }

    private static ContractState restored(long newestMs) {
        return new ContractState(null, new ContractState.Restored(0, "BTC", Long.MIN_VALUE, newestMs), null, false);
    }

    private static long forwards(MockProcessorContext<byte[], byte[]> context, String child) {
        return context.forwarded().stream()
                .map(CapturedForward::childName)
                .filter(name -> name.filter(child::equals).isPresent())
                .count();
    }

    private static void read(
            Processor<byte[], byte[], byte[], byte[]> processor,
            MockProcessorContext<byte[], byte[]> context,
            Topic<?> topic,
            int partition,
            String key,
            byte[] value) {
        context.setRecordMetadata(topic.name(), partition, 0);
        long stampMs = NOW + (AHEAD.contains(partition) ? 2 * DAY : 0);
        processor.process(new Record<>(key.getBytes(UTF_8), value, stampMs));
    }
}
