package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.streams.pairs.PairsTopology;
import io.fundingobservatory.streams.rates.RatesTopology;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A quote becomes an event and a row: once, in order, to the last digit, and the row goes when it is too old. */
class RatesTopologyTest {
    private static final long T0 = RatesDriver.T0;

    @RegisterExtension
    private final RatesDriver rates = new RatesDriver();

    @TempDir
    private Path folder;

    private Properties config() throws IOException {
        return TwoDrivers.config(folder, "test");
    }

    private String drawnRates() throws IOException {
        return RatesTopology.draw(config(), () -> 0, rates.counts, OpenVenues.LISTED)
                .describe()
                .toString();
    }

    private String drawnPairs() throws IOException {
        return PairsTopology.draw(config(), () -> 0, rates.counts, Duration.ofMinutes(1))
                .describe()
                .toString();
    }

    @Test
    void bothLookAsDrawn() throws Exception {
        for (String drawn : List.of(drawnPairs(), drawnRates())) {
            String file = drawn.contains("quotes.raw") ? "/rates-topology.txt" : "/pairs-topology.txt";
            String golden = new String(getClass().getResourceAsStream(file).readAllBytes(), UTF_8);
            assertEquals(golden.strip(), drawn.strip());
            assertFalse(drawn.contains("KSTREAM-"), "every node has a name");
        }
    }

    @Test
    void quoteBecomesEventAndLatestRow() {
        Quote quote = SeededQuotes.plausible(1, T0);
        rates.send(quote, T0 + 40);

        var event = rates.normalised.readRecord();
        var row = rates.latest.readRecord();
        assertEquals(quote.key().toString(), event.key());
        assertEquals(event.value(), row.value());
        assertEquals(T0 + 40, event.timestamp());
        assertEquals("rate/1", new String(event.headers().lastHeader("schema").value(), UTF_8));
        assertEquals("rate/1", new String(row.headers().lastHeader("schema").value(), UTF_8));
        assertTrue(rates.dead.isEmpty());
    }

    /** Duplicated, delayed and shuffled, the events of each contract are those of the oracle. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rowsEqualOraclesOnSeededQuotes(long seed) {
        var source = new SeededQuotes(seed);
        var random = new Random(seed);
        var sent = new ArrayList<Quote>();
        for (int i = 0; i < 5_000; i++) {
            long at = T0 + i * 10L;
            Quote quote = switch (sent.isEmpty() ? 9 : random.nextInt(10)) {
                case 0 -> sent.get(random.nextInt(sent.size()));
                case 1 -> SeededQuotes.readAt(sent.get(random.nextInt(sent.size())), at);
                default -> source.next(at - random.nextInt(2_000));
            };
            sent.add(quote);
            rates.send(quote, at);
        }
        assertTrue(rates.judge() > 3_000, "most of what is drawn is plausible");
        assertTrue(rates.counts.of("superseded") > 150, rates.counts::toString);
    }

    /** The clock of its reader is ahead: the row must not freeze at a future time. */
    @Test
    void observationAheadOfItsArrivalCountsAtArrival() {
        Quote quote = SeededQuotes.plausible(6, T0 + 3_600_000);
        rates.send(quote, T0);
        assertEquals(T0, rates.latest.readValue().observedAtMs());
        rates.send(SeededQuotes.readAt(quote, T0 + 60_000), T0 + 60_000);
        assertEquals(T0 + 60_000, rates.latest.readValue().observedAtMs());
    }

    @Test
    void removesOldRowsAndDeletesTheirState() {
        Quote quote = SeededQuotes.plausible(5, T0);
        rates.send(quote, T0);
        rates.latest.readValuesToList();
        rates.normalised.readValuesToList();

        rates.pass(Duration.ofSeconds(600));
        assertTrue(rates.latest.isEmpty(), "600 s are not yet more than 600 s");
        rates.pass(Duration.ofSeconds(10));
        TestRecord<String, Rate> tombstone = rates.latest.readRecord();
        assertEquals(quote.key().toString(), tombstone.key());
        assertNull(tombstone.value());
        assertEquals(1, rates.counts.of("removed"));
        rates.pass(Duration.ofSeconds(60));
        assertTrue(rates.latest.isEmpty(), "removed once, not every ten seconds");

        rates.send(SeededQuotes.readAt(quote, T0 - 1), T0 + 670_000);
        rates.send(quote, T0 + 670_000);
        assertTrue(rates.latest.isEmpty(), "an old quote does not bring the row back");
        assertTrue(rates.normalised.isEmpty(), "time alone is no event");

        rates.send(SeededQuotes.readAt(quote, T0 + 671_000), T0 + 671_000);
        assertEquals(T0 + 671_000, rates.latest.readValue().observedAtMs(), "the next observation does");

        rates.jump(Duration.ofDays(10));
        rates.send(
                SeededQuotes.readAt(quote, T0 + 1_000), T0 + Duration.ofDays(10).toMillis());
        rates.latest.readValuesToList();
        assertTrue(
                rates.normalised.readValuesToList().size() == 1, "also after more days than rates.quotes.raw is kept");
        rates.jump(Duration.ofDays(31));
        assertNull(rates.contract(quote));
    }
}
