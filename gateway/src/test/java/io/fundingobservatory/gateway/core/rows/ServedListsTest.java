package io.fundingobservatory.gateway.core.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that applies every delta has the rows of the whole list, byte for byte. */
class ServedListsTest {
    private static final List<String> VENUES = List.of("apex", "binance", "okx");

    private static EncodedRow row(String venue, String symbol, long rate, long observedAtMs) {
        Rate row = Rate.CODEC.with(
                Samples.bare(venue, symbol, "BTC", observedAtMs), "funding_rate_8h", BigDecimal.valueOf(rate, 9));
        return EncodedRow.stored(row, new byte[0]);
    }

    /** Rows of okx such as {@code A1 B2}: a symbol and its rate each. */
    private static List<EncodedRow> rows(String words) {
        return Stream.of(words.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> row("okx", word.substring(0, 1), Long.parseLong(word.substring(1)), 5))
                .toList();
    }

    /** The lists of all venues after some others; a venue whose rows are as they were keeps its list, as in a snapshot. */
    private static List<VenueRows> after(List<VenueRows> former, TreeMap<String, TreeMap<String, EncodedRow>> market) {
        var lists = new ArrayList<VenueRows>();
        for (int i = 0; i < VENUES.size(); i++) {
            List<EncodedRow> rows = List.copyOf(market.get(VENUES.get(i)).values());
            VenueRows before = former.isEmpty() ? null : former.get(i);
            lists.add(
                    before != null && rates(before.rows()).equals(rates(rows))
                            ? before
                            : new VenueRows(VENUES.get(i), rows, 0, before));
        }
        return lists;
    }

    private static VenueRows okx(List<EncodedRow> rows, @Nullable VenueRows former) {
        return new VenueRows("okx", rows, 0, former);
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

    private static ServedLists.@Nullable Delta since(
            ServedLists served, String tag, String request, long atMs, List<VenueRows> now) {
        ServedLists.Former former = served.since(tag, request, atMs);
        return former == null ? null : former.to(now, rows(now));
    }

    private static List<EncodedRow> rows(List<VenueRows> venues) {
        return venues.stream().flatMap(venue -> venue.rows().stream()).toList();
    }

    private static List<Rate> rates(List<EncodedRow> rows) {
        return rows.stream().map(EncodedRow::rate).toList();
    }

    /** A list of the first two rows: one is new in it, one has left it although its venue still has it. */
    @Test
    void selectedRowsAreComparedByTheirKeys() {
        var served = new ServedLists();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5), row("okx", "C", 3, 5)), null);
        List<ContractKey> shown =
                rates(first.rows()).subList(0, 2).stream().map(Rate::key).toList();
        served.served(false, "t", "two", 0, List.of(first), shown);
        ServedLists.Former former = served.since("t", "two", 5_000);
        assertNotNull(former);
        List<EncodedRow> now = first.rows().subList(1, 3);
        ServedLists.Delta delta = former.to(List.of(first), now);
        assertEquals(now.subList(1, 2), delta.changed());
        assertEquals(List.of(new ContractKey("okx", "A")), delta.gone());
    }

    @Test
    void longListsOfSomeRowsAreNotStored() {
        var served = new ServedLists();
        List<ContractKey> keys = IntStream.range(0, 501)
                .mapToObj(i -> new ContractKey("okx", "S" + i))
                .toList();
        served.served(false, "t", "all", 0, List.of(), keys);
        assertNull(served.since("t", "all", 0));
    }

    @Test
    void appliedDeltasGiveTheWholeList() {
        var random = new Random(7);
        var market = new TreeMap<String, TreeMap<String, EncodedRow>>();
        VENUES.forEach(venue -> market.put(venue, new TreeMap<>()));
        var served = new ServedLists();
        var client = new TreeMap<String, String>();
        List<VenueRows> venues = after(List.of(), market);
        served.served(false, "tag0", "all", 0, venues, null);
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
            ServedLists.Delta delta = since(served, "tag" + (step - 1), "all", step * 5_000L, venues);
            assertNotNull(delta);
            delta.gone().forEach(key -> assertNotNull(client.remove(key.venue() + '|' + key.symbol())));
            delta.changed().forEach(row -> client.put(key(row.rate()), new String(row.json(), StandardCharsets.UTF_8)));
            rowsSent += delta.changed().size();
            assertEquals(bytes(venues), new ArrayList<>(client.values()), "step " + step);
            served.served(false, "tag" + step, "all", step * 5_000L, venues, null);
        }
        assertEquals(true, rowsSent > 300 && rowsSent < 720 * 6, rowsSent + " rows sent");
    }

    /** Rows are sent where they changed since the list that the client has, whatever was served in between. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A1 B2    | A1 B2    | A1 B3 C1 | B3 C1    | ''",
                "A1 B2 C3 | A2 B2    | A2 B3 D3 | A2 B3 D3 | C",
                "A1 B2    | A1 B2    | ''       | ''       | A,B",
                "''       | ''       | A1       | A1       | ''",
                "A1       | ''       | A1       | A1       | ''",
            })
    void sendsWhatChangedSince(String had, String between, String now, String changed, String gone) {
        var served = new ServedLists();
        VenueRows first = okx(rows(had), null);
        served.served(false, "t", "all", 0, List.of(first), null);
        VenueRows last = okx(rows(now), okx(rows(between), first));
        ServedLists.Delta delta = since(served, "t", "all", 5_000, List.of(last));
        assertNotNull(delta);
        assertEquals(rates(rows(changed)), rates(delta.changed()));
        assertEquals(gone, delta.gone().stream().map(ContractKey::symbol).collect(Collectors.joining(",")));
    }

    @Test
    void clientWithTheLaterListGetsAllRows() {
        var served = new ServedLists();
        VenueRows earlier = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        VenueRows later = okx(List.of(row("okx", "A", 2, 6), row("okx", "C", 2, 6)), earlier);
        served.served(false, "t", "all", 5_000, List.of(later), null);
        ServedLists.Delta delta = since(served, "t", "all", 0, List.of(earlier));
        assertNotNull(delta);
        assertEquals(earlier.rows(), delta.changed());
        assertEquals(List.of(new ContractKey("okx", "C")), delta.gone());
    }

    @Test
    void unknownOldOrForeignTagsGiveNoDelta() {
        var served = new ServedLists();
        served.served(false, "t", "all", 1_000, List.of(), null);
        assertNull(since(served, "u", "all", 1_000, List.of()));
        assertNull(since(served, "t", "default", 1_000, List.of()));
        assertNotNull(since(served, "t", "all", 1_000 + ServedLists.KEPT_MS, List.of()));
        assertNull(since(served, "t", "all", 1_001 + ServedLists.KEPT_MS, List.of()));
    }

    @Test
    void numberOfStoredSnapshotsIsLimited() {
        var served = new ServedLists();
        for (int i = 0; i < 2_000; i++) {
            served.served(false, "t" + i, "all", i, List.of(), null);
        }
        assertNull(since(served, "t0", "all", 2_000, List.of()));
        assertNotNull(since(served, "t1999", "all", 2_000, List.of()));
    }
}
