package io.fundingobservatory.streams.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Days of settlements by contract: what is read of one is its own, and old days are deleted. */
class SettlementStoreTest {
    private static final long DAY = 86_400_000;
    private static final long TODAY = 20_000 * DAY;
    private static final byte[] BTC = "okx|BTC".getBytes(UTF_8);
    private static final byte[] BTC_1 = "okx|BTC1".getBytes(UTF_8);

    @TempDir
    Path directory;

    private KeyValueStore<byte[], SettlementDay> days;
    private SettlementStore settlements;

    @BeforeEach
    void open() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "payments");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        var context = new MockProcessorContext<byte[], byte[]>(config, new TaskId(0, 0), directory.toFile());
        days = org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("payments"),
                        Serdes.ByteArray(),
                        DayEncoding.serde())
                .withLoggingDisabled()
                .build();
        days.init(context.getStateStoreContext(), days);
        settlements = new SettlementStore(days);
    }

    private void settle(byte[] key, long settledMs) {
        SettlementDay day = settlements.day(key, settledMs);
        var settlement = new KnownSettlement(settledMs, BigDecimal.ONE, Basis.SETTLED, null, settledMs);
        day.merge(settledMs, SettlementDay.Entry.of(0, settlement, settledMs));
        settlements.put(key, day);
    }

    private List<Long> between(byte[] key, long fromMs, long toMs) {
        var found = new TreeSet<Long>();
        settlements
                .days(key, fromMs, toMs)
                .forEach(day -> found.addAll(day.entries().keySet()));
        return List.copyOf(found);
    }

    @Test
    void readsDaysOfOneContract() {
        settle(BTC, TODAY - 2 * DAY);
        settle(BTC_1, TODAY);
        settle(BTC, TODAY + 60_000);
        settle(BTC, TODAY + 120_000);
        assertEquals(List.of(TODAY - 2 * DAY, TODAY + 60_000, TODAY + 120_000), between(BTC, 0, Long.MAX_VALUE));
        assertEquals(List.of(TODAY - 2 * DAY), between(BTC, TODAY - 2 * DAY, TODAY - 1));
        assertEquals(List.of(TODAY), between(BTC_1, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void deletesDaysThatNothingReadsLittleByLittle() {
        for (int day = 0; day < 50; day++) {
            settle(BTC, TODAY - day * DAY);
            settle(BTC_1, TODAY - day * DAY);
        }
        assertEquals(100, days.approximateNumEntries());
        settlements.sweep(10);
        assertEquals(90, days.approximateNumEntries(), "of the first ten all are old");
        for (int i = 0; i < 10; i++) {
            settlements.sweep(10);
        }
        assertEquals(34, between(BTC, 0, Long.MAX_VALUE).size(), "31 days, two more, and that of the newest");
        assertEquals(34, between(BTC_1, 0, Long.MAX_VALUE).size());
        for (int i = 0; i < 20; i++) {
            settlements.sweep(10);
        }
        assertEquals(68, days.approximateNumEntries());
    }
}
