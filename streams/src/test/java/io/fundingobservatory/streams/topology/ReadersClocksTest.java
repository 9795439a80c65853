package io.fundingobservatory.streams.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.streams.SeededQuotes;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers whose clock is ahead or behind, and quotes that come late. */
class ReadersClocksTest {
    private static final long T0 = RatesDriver.T0;

    @RegisterExtension
    private final RatesDriver rates = new RatesDriver();

    @Test
    void aReaderWhoseClockRunsAheadIsRefused() {
        Quote quote = SeededQuotes.plausible(9, T0);
        rates.send(SeededQuotes.readAt(quote, T0 + Duration.ofHours(1).toMillis()), T0);
        rates.send(quote, T0);
        assertEquals(
                List.of(T0),
                rates.normalised.readValuesToList().stream()
                        .map(Rate::observedAtMs)
                        .toList());
        assertEquals("observed_in_the_future", RatesDriver.header(rates.dead.readRecord(), "reason"));
    }

    @Test
    void lateQuoteIsShownWithItsAge() {
        Quote quote = SeededQuotes.plausible(10, T0);
        rates.send(quote, T0 + 200_000);
        assertEquals(T0, rates.normalised.readValue().observedAtMs());
        assertEquals(T0, rates.latest.readValue().observedAtMs());
    }

    /** The clock of the ingest that has taken a venue over is an hour behind: three polls later its observations count as of their arrival. */
    @Test
    void slowReaderClockLosesNoRow() {
        Quote quote = SeededQuotes.plausible(11, T0);
        rates.send(quote, T0);
        rates.normalised.readValuesToList();
        rates.latest.readValuesToList();
        long hour = Duration.ofHours(1).toMillis();
        for (int poll = 1; poll <= 30; poll++) {
            rates.pass(Duration.ofSeconds(60));
            long now = T0 + poll * 60_000L;
            rates.send(SeededQuotes.readAt(quote, now - hour - 300), now);
        }
        List<Rate> shown = rates.normalised.readValuesToList();
        assertEquals(28, shown.size(), "from the third on");
        assertEquals(T0 + 3 * 60_000L, shown.getFirst().observedAtMs(), "by the broker's time");
        assertTrue(rates.latest.readValuesToList().stream().noneMatch(Objects::isNull), "and no row was removed");
        assertEquals(28, rates.counts.of("reader behind"));

        rates.pass(Duration.ofSeconds(60));
        rates.send(SeededQuotes.readAt(quote, T0 + 31 * 60_000L), T0 + 31 * 60_000L + 200);
        assertEquals(
                T0 + 31 * 60_000L, rates.normalised.readValue().observedAtMs(), "put right, it is believed at once");
    }

    @Test
    void copiesThatComeLateAreNoClock() {
        Quote quote = SeededQuotes.plausible(12, T0);
        rates.send(quote, T0);
        rates.normalised.readValuesToList();
        // A backlog of an hour, a poll a minute, handed in at once; then yesterday's quotes replayed ten times as fast.
        for (int poll = 0; poll < 60; poll++) {
            rates.send(SeededQuotes.readAt(quote, T0 - 3_600_000 + poll * 60_000L), T0 + poll);
        }
        for (int poll = 0; poll < 60; poll++) {
            rates.pass(Duration.ofSeconds(10));
            rates.send(SeededQuotes.readAt(quote, T0 - 80_000_000 + poll * 100_000L), T0 + 1_000 + poll * 10_000L);
        }
        assertTrue(rates.normalised.isEmpty());
        assertEquals(0, rates.counts.of("reader behind"));
    }
}
