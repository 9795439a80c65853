package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.oracle.RatesOracle;
import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.streams.lifecycle.Application;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Both applications in drivers, with their clocks controlled by a test: quotes go in as bytes, rows and dead letters come out. */
final class RatesDriver implements BeforeEachCallback, AfterEachCallback {
    static final long T0 = 1_790_000_000_000L;

    final CountedMetrics counts = new CountedMetrics();
    private final OpenVenues venues;
    private final RatesOracle oracle = new RatesOracle((venue, symbol) -> SeededQuotes.assetOf(symbol));
    TestInputTopic<byte[], byte[]> quotes;
    TestOutputTopic<String, Rate> normalised;
    TestOutputTopic<String, Rate> latest;
    TestOutputTopic<byte[], byte[]> dead;
    TestOutputTopic<String, CarryTable> pairs;
    private Path state;
    private TwoDrivers drivers;
    private long steadyMs = T0;

    RatesDriver() {
        this(OpenVenues.LISTED);
    }

    RatesDriver(OpenVenues venues) {
        this.venues = venues;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        state = Files.createTempDirectory("rates-driver");
        drivers = new TwoDrivers(state, () -> steadyMs, counts, venues);
        quotes = drivers.input(Topics.QUOTES_RAW);
        normalised = drivers.output(drivers.rates, Topics.RATES_NORMALISED);
        latest = drivers.output(drivers.rates, Topics.RATES_LATEST);
        pairs = drivers.output(drivers.pairs, Topics.CARRY_PAIRS);
        dead = drivers.deadLetters(drivers.rates);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        drivers.close();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What is stored of a quote's contract; null when nothing is. */
    Object contract(Quote quote) {
        return drivers.rates
                .<byte[], Object>getKeyValueStore(Application.RATES.stores().getFirst())
                .get(quote.key().toString().getBytes(UTF_8));
    }

    /** A quote arrives at the broker at this instant. */
    void send(Quote quote, long arrivedMs) {
        byte[] key = quote.key().toString().getBytes(UTF_8);
        byte[] value = Quote.CODEC.encode(quote);
        oracle.quote(key, value);
        quotes.pipeInput(new TestRecord<>(key, value, Instant.ofEpochMilli(arrivedMs)));
    }

    /** Reads all that came out of what was sent: it must be what the oracle expects, to the last digit. Returns how many rows. */
    long judge() {
        normalised
                .readRecordsToList()
                .forEach(row -> oracle.row(row.key().getBytes(UTF_8), Rate.CODEC.encode(row.value())));
        var rows = new HashMap<String, byte[]>();
        latest.readKeyValuesToMap().forEach((key, row) -> rows.put(key, Rate.CODEC.encode(row)));
        oracle.latest(rows);
        oracle.deadLetters(dead.readRecordsToList().size());
        oracle.end();
        for (RatesOracle.Broken what : RatesOracle.Broken.values()) {
            assertEquals(List.of(), oracle.violations(what));
        }
        return oracle.rows();
    }

    /** Time passes in steps of ten seconds. */
    void pass(Duration time) {
        for (long ms = time.toMillis(); ms > 0; ms -= 10_000) {
            steadyMs += Math.min(ms, 10_000);
            drivers.advance(Duration.ofSeconds(10));
        }
    }

    /** Time passes at once. */
    void jump(Duration time) {
        steadyMs += time.toMillis();
        drivers.advance(time);
    }

    static String header(TestRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
