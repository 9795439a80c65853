package io.fundingobservatory.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.exchanges.SourceOption;
import io.fundingobservatory.standalone.progress.Progress;
import io.fundingobservatory.testbed.FreePort;
import io.fundingobservatory.testbed.RecordedWalks;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.records.Quote;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walks of ARCHITECTURE.md are those of a running installation: one contract each at two simulated venues. A settlement from
 * quotes takes two quotes of a third venue, one before and one after it. The bulk poll waits for an hour, so that {@code ingest}
 * has a test of it with a clock of its own.
 */
class WalksTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String BULK = "A settlement, from a bulk poll";
    private static final String QUOTE = "A quote, to a row";
    private static final String PASSED = "A settlement, from quotes";
    private static final String PREPARED = "A request, prepared";
    private static final String RENDERED = "A request, rendered";
    private static final Map<String, Integer> MOST_STEPS = Map.of(
            QUOTE,
            22,
            "A settlement, from a contract's history",
            5,
            BULK,
            5,
            PASSED,
            5,
            "A settlement, to a ranked pair",
            9,
            PREPARED,
            8,
            RENDERED,
            8);

    @TempDir
    private Path folder;

    @Test
    void walksAreShort() throws Exception {
        var walks = RecordedWalks.onPage();
        assertEquals(MOST_STEPS.keySet(), walks.keySet());
        walks.forEach((heading, steps) ->
                assertTrue(steps.size() > 2 && steps.size() <= MOST_STEPS.get(heading), heading + ": " + steps.size()));
    }

    @Test
    void installationGoesTheWayOfThePage() throws Exception {
        var ports = new Installation.Ports(
                new Port(FreePort.next(), "--http-port"),
                new Port(FreePort.next(), "--management-port"),
                new Port(FreePort.next(), "--kafka-port"));
        int http = ports.http().number();
        var exchanges = new SourceOption.Simulated();
        var silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), InstantSource.system(), true);
        Map<String, Object> settings = Map.of(
                "observatory.ingest.poll-interval", "60s",
                "observatory.ingest.limits", "none",
                "observatory.ingest.venues", "binance,bybit",
                "observatory.gateway.generation-interval", "1s",
                "observatory.gateway.traffic.exempt", "127.0.0.1");
        String[] recorded =
                MOST_STEPS.keySet().stream().filter(walk -> !walk.equals(BULK)).toArray(String[]::new);
        try (var walks = RecordedWalks.start(recorded)) {
            try (var _ = Installation.start(
                    exchanges,
                    DataDirectory.take(folder.resolve("data"), exchanges),
                    ports,
                    new MarketOptions.Market(1, 1),
                    silent,
                    settings)) {
                Http.await(
                        http,
                        "/api/v1/latest?venues=all",
                        PATIENCE,
                        list -> list.get("rows").findValuesAsText("venue").contains("binance"));
                walks.until(QUOTE);
                String asset =
                        Http.json(http, "/api/v1/latest").at("/rows/0/asset").asText();
                Http.await(
                        http,
                        "/api/v1/latest?assets=" + asset,
                        PATIENCE,
                        list -> list.get("rows").size() > 0);
                walks.from(PASSED);
                settleBetweenTwoQuotes("127.0.0.1:" + ports.kafka().number(), asset);
                Http.await(
                        http,
                        "/api/v1/latest?venues=okx",
                        PATIENCE,
                        list -> list.get("rows").size() > 0);
                walks.until(PASSED);
                Http.await(
                        http,
                        "/api/v1/carry",
                        PATIENCE,
                        list -> list.get("rows").size() > 0);
                walks.from(PREPARED);
                Http.get(http, "/api/v1/latest");
                walks.until(PREPARED);
                walks.from(RENDERED);
                Http.get(http, "/api/v1/latest?symbols=BTC-USDT-SWAP&venues=okx");
                walks.until(RENDERED);
            }
            assertEquals(List.of(), walks.problems());
        }
    }

    /** Two quotes of one contract, half a minute before a settlement and after it. */
    private static void settleBetweenTwoQuotes(String brokers, String asset) throws Exception {
        long now = System.currentTimeMillis();
        long settlesMs = now / 60_000 * 60_000;
        Map<String, Object> config = Map.of("bootstrap.servers", brokers);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer())) {
            for (Quote quote : List.of(
                    quote(asset, settlesMs - 30_000, settlesMs), quote(asset, now, settlesMs + 8 * 3_600_000L))) {
                var record =
                        new ProducerRecord<>(Topics.QUOTES_RAW.name(), "okx|BTC-USDT-SWAP", Quote.CODEC.encode(quote));
                record.headers().add(Topics.QUOTES_RAW.schemaHeader());
                producer.send(record).get();
            }
        }
    }

    private static Quote quote(String asset, long observedAtMs, long nextFundingMs) {
        return SampleRecords.quote(
                "symbol",
                "BTC-USDT-SWAP",
                "base",
                asset,
                "quote",
                "USDT",
                "rate_hours",
                new BigDecimal(8),
                "interval_h",
                new BigDecimal(8),
                "next_funding_ms",
                nextFundingMs,
                "venue_time_ms",
                observedAtMs,
                "observed_at_ms",
                observedAtMs);
    }
}
