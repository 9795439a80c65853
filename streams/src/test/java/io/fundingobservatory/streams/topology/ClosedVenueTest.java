package io.fundingobservatory.streams.topology;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.OpenVenues;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A venue that closes, and one that a former release listed, leave the rows and the pairs. */
class ClosedVenueTest {
    private static final long T0 = RatesDriver.T0;
    private static final ListedVenue ENDING =
            ListedVenue.of("apex").closing(Instant.ofEpochMilli(T0 + 60_000).toString(), "https://apex.example/end");

    private final Set<String> unlisted = new HashSet<>();

    @RegisterExtension
    private final RatesDriver rates = new RatesDriver((venue, nowMs) -> venue.equals(ENDING.id())
            ? !ENDING.isClosed(nowMs)
            : !unlisted.contains(venue) && OpenVenues.LISTED.isOpen(venue, nowMs));

    @Test
    void withdrawsRowsAndPairsFromItsClosingOn() {
        List.of("apex", "bybit", "okx").forEach(venue -> rates.send(quote(venue, T0), T0));
        rates.pass(Duration.ofSeconds(40));
        assertEquals(3, rates.latest.readRecordsToList().size(), "all are shown before the instant");
        assertEquals(Set.of("apex bybit", "apex okx", "bybit okx"), newestPairs());

        rates.pass(Duration.ofSeconds(40));
        List<TestRecord<String, Rate>> after = rates.latest.readRecordsToList();
        assertEquals(List.of("apex|BTC"), after.stream().map(TestRecord::key).toList());
        assertTrue(after.getFirst().value() == null, "a tombstone");
        assertEquals(Set.of("bybit okx"), newestPairs());

        rates.send(quote("apex", T0 + 90_000), T0 + 90_000);
        assertEquals("venue_closed", RatesDriver.header(rates.dead.readRecord(), "reason"));
        rates.pass(Duration.ofSeconds(60));
        assertTrue(rates.latest.isEmpty(), "it does not come back");
        assertTrue(rates.pairs.isEmpty());
    }

    /** The row has gone by its age, the contract is still in the pairs: the list of the next release takes it out. */
    @Test
    void withdrawsPairsOfUnlistedVenue() {
        List.of("bybit", "okx", "gate").forEach(venue -> rates.send(quote(venue, T0), T0));
        for (int minute = 1; minute <= 12; minute++) {
            rates.pass(Duration.ofMinutes(1));
            long now = T0 + minute * 60_000L;
            List.of("okx", "gate").forEach(venue -> rates.send(quote(venue, now), now));
        }
        assertEquals(
                1,
                rates.latest.readRecordsToList().stream()
                        .filter(row -> row.value() == null)
                        .count(),
                "by age");
        assertEquals(Set.of("bybit gate", "bybit okx", "gate okx"), newestPairs());

        unlisted.add("bybit");
        rates.pass(Duration.ofSeconds(40));
        assertEquals(Set.of("gate okx"), newestPairs());
        assertTrue(rates.latest.isEmpty(), "its row had gone before");
    }

    private Set<String> newestPairs() {
        CarryTable table = rates.pairs.readValuesToList().getLast();
        var pairs = new TreeSet<String>();
        for (CarryPair pair : table.pairs()) {
            var legs = new TreeSet<>(
                    List.of(pair.longLeg().venue(), pair.shortLeg().venue()));
            pairs.add(legs.first() + " " + legs.last());
        }
        return pairs;
    }

    private static Quote quote(String venue, long observedAtMs) {
        return SampleRecords.quote(
                fields("venue", venue, "symbol", "BTC", "base", "BTC", "quote", "USDT"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal("0.0001"), "rate_unit", RateUnit.FRACTION),
                fields("rate_hours", BigDecimal.valueOf(8), "rate_kind", RateKind.ESTIMATE),
                fields("interval_h", BigDecimal.valueOf(8), "interval_source", IntervalSource.ROW),
                fields("next_funding_ms", T0 + Duration.ofHours(4).toMillis(), "mark_price", new BigDecimal("64000")),
                fields("index_price", null, "venue_time_ms", null, "observed_at_ms", observedAtMs));
    }
}
