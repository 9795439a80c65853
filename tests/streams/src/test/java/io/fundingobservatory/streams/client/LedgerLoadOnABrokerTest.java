package io.fundingobservatory.streams.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.CommittedRecords;
import io.fundingobservatory.streams.formats.ContractState.Restored;
import io.fundingobservatory.streams.formats.Format;
import io.fundingobservatory.streams.pairs.PairsStores;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.settlements.ErrorHistogram;
import io.fundingobservatory.streams.settlements.SettlementDay;
import io.fundingobservatory.streams.topology.CountedMetrics;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.testbed.broker.KafkaFixture;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ledger of lost stores, on a real broker: published settlements become records of the changelogs. */
class LedgerLoadOnABrokerTest {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final long NOON = 1_790_000_000_000L / DAY * DAY + 12 * HOUR;
    private static final Properties CONFIG = new Properties();

    static {
        CONFIG.putAll(Map.of("application.id", Topics.PAIRS_GROUP, "bootstrap.servers", "127.0.0.1:1"));
    }

    private KafkaFixture kafka;
    private LedgerLoader loader;

    @BeforeEach
    void start() {
        kafka = KafkaFixture.start();
        loader = new LedgerLoader(
                KafkaAccess.at(kafka.bootstrapServers()), kafka.admin(), new CountedMetrics(), () -> false);
    }

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void writesWhatLostStoresHeld() throws Exception {
        int partition;
        try (var producer = producer(Map.of())) {
            send(producer, settlement(0, NOON - 8 * HOUR, "0.0009", Basis.SETTLED)); // of an earlier listing
            send(producer, settlement(1, NOON, "0.0001", Basis.ESTIMATE));
            send(producer, settlement(1, NOON, "0.0003", Basis.SETTLED));
            send(producer, settlement(1, NOON + 8 * HOUR, "-0.0002", Basis.ACCRUED));
            send(producer, settlement(1, NOON + 34 * DAY, "0.0004", Basis.ESTIMATE)); // the first day is too old now
            partition = producer.send(
                            new ProducerRecord<>(Topics.CONTRACT_EVENTS.name(), "BTC".getBytes(UTF_8), new byte[1]))
                    .get()
                    .partition();
        }
        assertEquals(4, loader.load(loader.listings(), CONFIG));

        List<ConsumerRecord<byte[], byte[]>> days = changelog(PairsStores.LEDGER);
        assertEquals(1, days.size());
        assertEquals(partition, days.getFirst().partition(), "where the events of the asset are");
        assertEquals("BTC\0okx|X\0", new String(days.getFirst().key(), 0, 10, UTF_8));
        SettlementDay day = Format.SETTLEMENT_DAY.read(days.getFirst().value());
        assertNotNull(day);
        assertEquals(List.of(NOON + 34 * DAY), List.copyOf(day.entries().keySet()));
        assertEquals(List.of(), changelog(PairsStores.ERROR_HISTOGRAMS));
    }

    @Test
    void estimatesMeetWhatWasSettled() throws Exception {
        try (var producer = producer(Map.of())) {
            send(producer, settlement(1, NOON, "0.0001", Basis.ESTIMATE));
            send(producer, settlement(1, NOON + 8 * HOUR, "-0.0002", Basis.ACCRUED));
            send(producer, settlement(1, NOON, "0.0003", Basis.SETTLED));
        }
        assertEquals(3, loader.load(loader.listings(), CONFIG));
        SettlementDay day = Format.SETTLEMENT_DAY.read(
                changelog(PairsStores.LEDGER).getFirst().value());
        assertNotNull(day);
        assertEquals(2, day.entries().size());
        SettlementDay.Entry atNoon = day.at(NOON);
        assertNotNull(atNoon);
        assertEquals(1, atNoon.listingEpoch());
        assertNotNull(atNoon.settlement());
        assertEquals(Basis.SETTLED, atNoon.settlement().basis());
        assertEquals(new BigDecimal("0.0003"), atNoon.settlement().rate());
        assertEquals(new BigDecimal("0.0001"), atNoon.estimate());

        ConsumerRecord<byte[], byte[]> errors =
                changelog(PairsStores.ERROR_HISTOGRAMS).getFirst();
        assertEquals("okx\0", new String(errors.key(), 0, 4, UTF_8));
        ErrorHistogram histogram = Format.ERROR_HISTOGRAM.read(errors.value());
        assertNotNull(histogram);
        assertEquals(1, histogram.size());
        assertEquals(0, new BigDecimal("0.0002").compareTo(histogram.atPercent(50)));

        Map<String, String> first = lastValues();
        loader.load(loader.listings(), CONFIG);
        assertEquals(first, lastValues(), "a second load gives the same bytes");
    }

    /** A start that ends amid the load must not begin with half a ledger. */
    @Test
    void isNoLedgerWhenReadInPart() throws Exception {
        try (var producer = producer(Map.of())) {
            send(producer, settlement(1, NOON, "0.0001", Basis.SETTLED));
        }
        Map<ContractKey, Restored> listings = loader.listings();
        var closed = new LedgerLoader(
                KafkaAccess.at(kafka.bootstrapServers()), kafka.admin(), new CountedMetrics(), () -> true);
        assertThrows(StartFailure.class, closed::listings);
        assertThrows(StartFailure.class, () -> closed.load(listings, CONFIG));
        assertEquals(List.of(), changelog(PairsStores.LEDGER));
    }

    /** The former process was killed amid a commit: its offsets may be committed, and its settlements soon. */
    @Test
    void waitsForOpenTransaction() throws Exception {
        try (var killed = producer(Map.of("transactional.id", "killed"))) {
            killed.initTransactions();
            killed.beginTransaction();
            send(killed, settlement(1, NOON, "0.0001", Basis.SETTLED));
            killed.flush();
            var loaded = CompletableFuture.supplyAsync(() -> {
                try {
                    return loader.load(loader.listings(), CONFIG);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertThrows(TimeoutException.class, () -> loaded.get(500, TimeUnit.MILLISECONDS));
            killed.commitTransaction();
            assertEquals(1, loaded.get(5, TimeUnit.MINUTES));
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        var config = new TreeMap<>(settings);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, Settlement settlement) {
        producer.send(new ProducerRecord<>(
                Topics.SETTLEMENTS.name(),
                settlement.key().toString().getBytes(UTF_8),
                Settlement.CODEC.encode(settlement)));
    }

    private List<ConsumerRecord<byte[], byte[]>> changelog(String store) {
        try (var records = new CommittedRecords(kafka.bootstrapServers(), PairsTopology.APPLICATION.changelog(store))) {
            return records.toTheEnd();
        }
    }

    private Map<String, String> lastValues() {
        var hex = HexFormat.of();
        var values = new TreeMap<String, String>();
        for (String store : List.of(PairsStores.LEDGER, PairsStores.ERROR_HISTOGRAMS)) {
            changelog(store)
                    .forEach(record -> values.put(store + hex.formatHex(record.key()), hex.formatHex(record.value())));
        }
        return values;
    }

    private static Settlement settlement(int listingEpoch, long settledMs, String rate, Basis basis) {
        return SampleRecords.settlement(
                "venue",
                "okx",
                "symbol",
                "X",
                "listing_epoch",
                listingEpoch,
                "asset",
                "BTC",
                "settled_ms",
                settledMs,
                "settled_raw_ms",
                settledMs,
                "funding_rate",
                new BigDecimal(rate),
                "basis",
                basis,
                "funding_interval_h",
                BigDecimal.valueOf(8),
                "observed_at_ms",
                settledMs + 1);
    }
}
