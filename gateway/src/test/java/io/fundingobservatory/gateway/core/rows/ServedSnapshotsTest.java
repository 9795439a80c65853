package io.fundingobservatory.gateway.core.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client that applies every delta has the rows of the whole list, byte for byte. */
class ServedSnapshotsTest {
    private static final List<String> VENUES = List.of("apex", "binance", "okx");

    private static EncodedRow row(String venue, String symbol, long rate, long observedAtMs) {
        return EncodedRow.stored(
                SampleRecords.rate(
                        "venue",
                        venue,
                        "symbol",
                        symbol,
                        "asset",
                        "BTC",
                        "quote",
                        "USDT",
                        "contract_type",
                        ContractType.LINEAR,
                        "asset_class",
                        null,
                        "dex",
                        null,
                        "funding_rate_8h",
                        BigDecimal.valueOf(rate, 9),
                        "funding_interval_h",
                        BigDecimal.valueOf(8),
                        "funding_interval_source",
                        null,
                        "funding_rate",
                        BigDecimal.valueOf(rate, 9),
                        "rate_kind",
                        RateKind.ESTIMATE,
                        "funding_rate_annualised",
                        BigDecimal.valueOf(rate * 1_095, 9),
                        "next_funding_ms",
                        null,
                        "mark_price",
                        null,
                        "index_price",
                        null,
                        "price_scale",
                        BigDecimal.ONE,
                        "venue_time_ms",
                        null,
                        "observed_at_ms",
                        observedAtMs,
                        "stale",
                        false),
                new byte[0]);
    }

    /** The lists of all venues after some others; a venue whose rows are as they were keeps its list, as in a snapshot. */
    private static List<VenueRows> after(List<VenueRows> former, TreeMap<String, TreeMap<String, EncodedRow>> market) {
        var lists = new ArrayList<VenueRows>();
        for (int i = 0; i < VENUES.size(); i++) {
            List<EncodedRow> rows = List.copyOf(market.get(VENUES.get(i)).values());
            VenueRows before = former.isEmpty() ? null : former.get(i);
            lists.add(
                    before != null && before.rows().equals(rows)
                            ? before
                            : VenueRows.ofTable(VENUES.get(i), rows, 0, before));
        }
        return lists;
    }

    private static VenueRows okx(List<EncodedRow> rows, @Nullable VenueRows former) {
        return VenueRows.ofTable("okx", rows, 0, former);
    }

    private static String key(Rate rate) {
        return rate.venue() + '|' + rate.symbol();
    }

    private static List<String> bytes(List<VenueRows> venues) {
        return venues.stream()
                .flatMap(venue -> venue.rows().stream())
                .map(row -> new String(row.json(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void knowsListsOfTheirScope() {
        var served = new ServedSnapshots();
        served.served("tag", "all", 0, List.of());
        assertTrue(served.knows("tag", "all", 300_000));
        assertFalse(served.knows("tag", "all", 300_001), "too old");
        assertFalse(served.knows("tag", "default", 1), "another scope");
        assertFalse(served.knows("other", "all", 1), "unknown");
    }

    @Test
    void appliedDeltasGiveTheWholeList() {
        var random = new Random(7);
        var market = new TreeMap<String, TreeMap<String, EncodedRow>>();
        VENUES.forEach(venue -> market.put(venue, new TreeMap<>()));
        var served = new ServedSnapshots();
        var client = new TreeMap<String, String>();
        List<VenueRows> venues = after(List.of(), market);
        served.served("tag0", "all", 0, venues);
        int rowsSent = 0;
        for (int step = 1; step <= 720; step++) {
            for (int change = random.nextInt(6); change > 0; change--) {
                String venue = VENUES.get(random.nextInt(VENUES.size()));
                String symbol = "S" + random.nextInt(40);
                if (random.nextInt(5) == 0) {
                    market.get(venue).remove(symbol);
                } else {
                    market.get(venue).put(symbol, row(venue, symbol, random.nextInt(5), step / 20));
                }
            }
            venues = after(venues, market);
            ServedSnapshots.Delta delta = served.since("tag" + (step - 1), "all", step * 5_000L, venues);
            assertNotNull(delta);
            delta.gone().forEach(key -> assertNotNull(client.remove(key.venue() + '|' + key.symbol())));
            delta.changed().forEach(row -> client.put(key(row.rate()), new String(row.json(), StandardCharsets.UTF_8)));
            rowsSent += delta.changed().size();
            assertEquals(bytes(venues), new ArrayList<>(client.values()), "step " + step);
            served.served("tag" + step, "all", step * 5_000L, venues);
        }
        assertEquals(true, rowsSent > 300 && rowsSent < 720 * 6, rowsSent + " rows sent");
    }

    @Test
    void unchangedRowsAreNotSent() {
        var served = new ServedSnapshots();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        served.served("t", "all", 0, List.of(first));
        List<EncodedRow> later = List.of(row("okx", "A", 1, 5), row("okx", "B", 3, 5), row("okx", "C", 1, 5));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(okx(later, first)));
        assertNotNull(delta);
        assertEquals(List.of(later.get(1), later.get(2)), delta.changed());
        assertEquals(List.of(), delta.gone());
    }

    @Test
    void everyChangeInBetweenCounts() {
        var served = new ServedSnapshots();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5), row("okx", "C", 3, 5)), null);
        served.served("t", "all", 0, List.of(first));
        VenueRows second = okx(List.of(row("okx", "A", 2, 6), row("okx", "B", 2, 5)), first);
        List<EncodedRow> rows = List.of(row("okx", "A", 2, 6), row("okx", "B", 3, 7), row("okx", "D", 3, 5));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(okx(rows, second)));
        assertNotNull(delta);
        assertEquals(rows, delta.changed());
        assertEquals(List.of(new ContractKey("okx", "C")), delta.gone());
    }

    @Test
    void clientWithTheLaterListGetsAllRows() {
        var served = new ServedSnapshots();
        VenueRows earlier = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        VenueRows later = okx(List.of(row("okx", "A", 2, 6), row("okx", "C", 2, 6)), earlier);
        served.served("t", "all", 5_000, List.of(later));
        ServedSnapshots.Delta delta = served.since("t", "all", 0, List.of(earlier));
        assertNotNull(delta);
        assertEquals(earlier.rows(), delta.changed());
        assertEquals(List.of(new ContractKey("okx", "C")), delta.gone());
    }

    @Test
    void venueThatWentLosesItsRows() {
        var served = new ServedSnapshots();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        served.served("t", "all", 0, List.of(first));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(okx(List.of(), first)));
        assertNotNull(delta);
        assertEquals(List.of(new ContractKey("okx", "A"), new ContractKey("okx", "B")), delta.gone());
    }

    @Test
    void venueThatCameBackSendsItsRows() {
        var served = new ServedSnapshots();
        VenueRows rows = okx(List.of(row("okx", "A", 1, 5)), null);
        served.served("t", "all", 0, List.of(okx(List.of(), null)));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(rows));
        assertNotNull(delta);
        assertEquals(rows.rows(), delta.changed());
        assertEquals(List.of(), delta.gone());
    }

    @Test
    void unknownOldOrForeignTagsGiveNoDelta() {
        var served = new ServedSnapshots();
        served.served("t", "all", 1_000, List.of());
        assertNull(served.since("u", "all", 1_000, List.of()));
        assertNull(served.since("t", "default", 1_000, List.of()));
        assertNotNull(served.since("t", "all", 1_000 + ServedSnapshots.KEPT_MS, List.of()));
        assertNull(served.since("t", "all", 1_001 + ServedSnapshots.KEPT_MS, List.of()));
    }

    @Test
    void numberOfStoredSnapshotsIsLimited() {
        var served = new ServedSnapshots();
        for (int i = 0; i < 2_000; i++) {
            served.served("t" + i, "all", i, List.of());
        }
        assertNull(served.since("t0", "all", 2_000, List.of()));
        assertNotNull(served.since("t1999", "all", 2_000, List.of()));
    }
}
