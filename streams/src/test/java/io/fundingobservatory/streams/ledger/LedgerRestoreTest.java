package io.fundingobservatory.streams.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.processors.SettlementProcessor;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody else writes onto the published ledger is counted and left; what is ours comes back into empty stores, unpublished. */
class LedgerRestoreTest {
    private static final long HOUR = 3_600_000;
    private static final long AT = 1_790_000_000_000L / HOUR * HOUR;

    private final CountedMetrics metrics = new CountedMetrics();
    private final SettlementProcessor processor =
            new SettlementProcessor(metrics, new BrokerClock(() -> AT), LedgerEnds.UNKNOWN);
    private MockProcessorContext<byte[], byte[]> context;

    @TempDir
    Path directory;

    @BeforeEach
    void start() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "restore");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        context = new MockProcessorContext<>(config, new TaskId(0, 0), directory.toFile());
        for (var builder : List.of(Stores.contracts(), Stores.payments())) {
            StateStore store =
                    builder.withLoggingDisabled().withCachingDisabled().build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        processor.init(context);
    }

    @Test
    void whatIsNoPaymentOfOursIsCountedAndLeft() {
        read("okx|X", new byte[] {1, 2, 3});
        read("okx|X", null);
        read("okx|Y", Settlement.CODEC.encode(settlement("X", 0, AT, AT, "0.0001", "8")));
        assertEquals(Map.of("unreadable", 3L), metrics.refusals());
        for (Settlement odd : List.of(
                settlement("X", 0, AT, AT, "0." + "9".repeat(64), "8"),
                settlement("X", 0, AT, AT, "11", "8"),
                settlement("X", 0, AT, AT, "0.0001", "0.00001"),
                settlement("X", 0, AT, AT, "0.0001", "169"),
                settlement("X", 0, AT, AT + 30_001, "0.0001", "8"),
                settlement("X", 0, AT + 1, AT + 1, "0.0001", "8"),
                settlement("X", 0, Long.MAX_VALUE, Long.MAX_VALUE, "0.0001", "8"),
                settlement("X", -1, AT, AT, "0.0001", "8"),
                settlement("X", Long.MAX_VALUE, AT, AT, "0.0001", "8"),
                settlement("a\nb", 0, AT, AT, "0.0001", "8"))) {
            read(odd.key().toString(), Settlement.CODEC.encode(odd));
        }
        assertEquals(Map.of("unreadable", 3L, "implausible", 10L), metrics.refusals());
        assertNull(state("okx|X"));
        assertEquals(List.of(), context.forwarded());
    }

    @Test
    void whatIsOursComesBackAndIsNotPublishedAgain() {
        read("okx|X", Settlement.CODEC.encode(settlement("X", 2, AT, AT + 29_999, "-0.0001", "8")));
        ContractState restored = state("okx|X");
        assertNotNull(restored);
        assertEquals(new ContractState.Restored(2, "BTC", Long.MIN_VALUE, AT), restored.restored());
        assertEquals(Map.of(), metrics.refusals());
        assertEquals(List.of(), context.forwarded());
    }

    private ContractState state(String key) {
        return context.<KeyValueStore<byte[], ContractState>>getStateStore(Stores.CONTRACTS)
                .get(key.getBytes(UTF_8));
    }

    private void read(String key, byte[] value) {
        context.setRecordMetadata(Topics.SETTLEMENTS.name(), 0, 0);
        processor.process(new Record<>(key.getBytes(UTF_8), value, 0));
    }

    private static Settlement settlement(
            String symbol, long epoch, long settledMs, long rawMs, String rate, String intervalH) {
        return new Settlement(
                "okx",
                symbol,
                epoch,
                "BTC",
                settledMs,
                rawMs,
                new BigDecimal(rate),
                Basis.ESTIMATE,
                new BigDecimal(intervalH),
                AT - 30_000);
    }
}
