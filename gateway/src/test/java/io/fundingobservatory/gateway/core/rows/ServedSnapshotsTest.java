package io.fundingobservatory.gateway.core.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import org.junit.jupiter.api.Test;

/** A client that applies every delta has the rows of the whole list, byte for byte. */
class ServedSnapshotsTest {
    private static final List<String> VENUES = List.of("aevo", "binance", "okx");

    private static EncodedRow row(String venue, String symbol, long rate, long observedAtMs) {
        return EncodedRow.stored(
                new Rate(
                        venue,
                        symbol,
                        "BTC",
                        "USDT",
                        ContractType.LINEAR,
                        null,
                        null,
                        BigDecimal.valueOf(rate, 9),
                        BigDecimal.valueOf(8),
                        null,
                        BigDecimal.valueOf(rate, 9),
                        RateKind.ESTIMATE,
                        BigDecimal.valueOf(rate * 1_095, 9),
                        null,
                        null,
                        null,
                        BigDecimal.ONE,
                        null,
                        observedAtMs,
                        false),
                new byte[0]);
    }

    private static List<VenueRows> now(TreeMap<String, TreeMap<String, EncodedRow>> market) {
        return VENUES.stream()
                .map(venue -> VenueRows.ofTable(venue, market.get(venue).values(), 0))
                .toList();
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
    void appliedDeltasGiveTheWholeList() {
        var random = new Random(7);
        var market = new TreeMap<String, TreeMap<String, EncodedRow>>();
        VENUES.forEach(venue -> market.put(venue, new TreeMap<>()));
        var served = new ServedSnapshots();
        var client = new TreeMap<String, String>();
        List<VenueRows> first = now(market);
        served.served("tag0", "all", 0, first);
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
            List<VenueRows> venues = now(market);
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
        List<EncodedRow> rows = List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5));
        served.served("t", "all", 0, List.of(VenueRows.ofTable("okx", rows, 0)));
        List<EncodedRow> later = List.of(row("okx", "A", 1, 5), row("okx", "B", 3, 5), row("okx", "C", 1, 5));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(VenueRows.ofTable("okx", later, 0)));
        assertNotNull(delta);
        assertEquals(List.of(later.get(1), later.get(2)), delta.changed());
        assertEquals(List.of(), delta.gone());
    }

    @Test
    void venueThatWentLosesItsRows() {
        var served = new ServedSnapshots();
        List<EncodedRow> rows = List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5));
        served.served("t", "all", 0, List.of(VenueRows.ofTable("okx", rows, 0)));
        ServedSnapshots.Delta delta = served.since("t", "all", 5_000, List.of(VenueRows.ofTable("okx", List.of(), 0)));
        assertNotNull(delta);
        assertEquals(List.of(new ContractKey("okx", "A"), new ContractKey("okx", "B")), delta.gone());
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
