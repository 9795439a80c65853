package io.fundingobservatory.faults.planted;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fundingobservatory.faults.load.Contracts;
import io.fundingobservatory.faults.load.QuoteText;
import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.oracle.RatesOracle.Broken;
import io.fundingobservatory.topics.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle is judged: over the topology as it is it has nothing to say, and each planted bug it names. */
class PlantedBugsTest {
    private static final long T0 = 1_790_000_000_000L;
    private static final int QUOTES = 1_500;
    private static final Contracts CONTRACTS = new Contracts(5, 20, Contracts.settled(9));
    private static final List<ConsumerRecord<byte[], byte[]>> INPUT = input();

    /** Quotes of all contracts, some twice, some late, with poison among them. */
    private static List<ConsumerRecord<byte[], byte[]>> input() {
        var random = new Random(11);
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        for (int i = 0; i < QUOTES; i++) {
            Contracts.Contract contract =
                    CONTRACTS.all().get(i % CONTRACTS.all().size());
            long observed = T0 + i * 10L - (random.nextInt(20) == 0 ? 5_000 : 0);
            byte[] value = QuoteText.of(contract, random, observed).getBytes(UTF_8);
            add(records, contract.key(), value, T0 + i * 10L);
            if (random.nextInt(15) == 0) {
                add(records, contract.key(), value, T0 + i * 10L);
            }
            if (i % 200 == 100) {
                add(records, "okx|POISON", new byte[] {1, 2, 3}, T0 + i * 10L);
            }
        }
        return records;
    }

    private static void add(List<ConsumerRecord<byte[], byte[]>> records, String key, byte[] value, long arrivedMs) {
        records.add(new ConsumerRecord<>(
                Topics.QUOTES_RAW.name(),
                0,
                records.size(),
                arrivedMs,
                org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key.getBytes(UTF_8),
                value,
                new org.apache.kafka.common.header.internals.RecordHeaders(),
                java.util.Optional.empty()));
    }

    @Test
    void theTopologyAsItIs() throws Exception {
        RatesOracle oracle = judged(List.of());
        for (Broken what : Broken.values()) {
            assertEquals(List.of(), oracle.violations(what));
        }
        assertEquals(QUOTES / 200, oracle.refused());
    }

    @ParameterizedTest
    @Tag("nightly")
    @EnumSource
    void isFound(PlantedBugs bug) throws Exception {
        RatesOracle oracle = judged(bug.patches);
        assertFalse(
                oracle.violations(bug.breaks).isEmpty(), () -> bug + " breaks " + bug.breaks + " and nobody says so");
    }

    @SuppressWarnings("unchecked")
    private static RatesOracle judged(List<Patch> patches) throws Exception {
        var classes = new PatchedClasses(patches);
        var run = (Function<List<ConsumerRecord<byte[], byte[]>>, Map<String, List<TestRecord<byte[], byte[]>>>>)
                classes.loadClass(TopologyRun.class.getName())
                        .getDeclaredConstructor()
                        .newInstance();
        Map<String, List<TestRecord<byte[], byte[]>>> came = run.apply(INPUT);
        assertEquals(List.of(), classes.unused(), "planted nowhere");
        var oracle = new RatesOracle(CONTRACTS);
        INPUT.forEach(record -> oracle.quote(record.key(), record.value()));
        came.get(Topics.RATES_NORMALISED.name()).forEach(row -> oracle.row(row.key(), row.value()));
        oracle.end();
        var latest = new HashMap<String, byte[]>();
        came.get(Topics.RATES_LATEST.name()).forEach(row -> {
            if (row.value() == null) {
                latest.remove(new String(row.key(), UTF_8));
            } else {
                latest.put(new String(row.key(), UTF_8), row.value());
            }
        });
        oracle.latest(latest);
        oracle.deadLetters(came.get(Topics.DEAD_LETTERS.name()).size());
        return oracle;
    }
}
