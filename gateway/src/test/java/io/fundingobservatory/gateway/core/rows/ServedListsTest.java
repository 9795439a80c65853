package io.fundingobservatory.gateway.core.rows;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client that applies every delta has the rows of the whole list, byte for byte. */
class ServedListsTest {
    private static final List<String> VENUES = List.of("apex", "binance", "okx");

    private static EncodedRow row(String venue, String symbol, long rate, long observedAtMs) {
        return EncodedRow.stored(
                SampleRecords.rate(
                        fields("venue", venue, "symbol", symbol, "asset", "BTC", "quote", "USDT"),
                        fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                        fields("funding_rate_8h", BigDecimal.valueOf(rate, 9)),
                        fields("funding_interval_h", BigDecimal.valueOf(8), "funding_interval_source", null),
                        fields("funding_rate", BigDecimal.valueOf(rate, 9), "rate_kind", RateKind.ESTIMATE),
                        fields("funding_rate_annualised", BigDecimal.valueOf(rate * 1_095, 9), "next_funding_ms", null),
                        fields("mark_price", null, "index_price", null, "price_scale", BigDecimal.ONE),
                        fields("venue_time_ms", null, "observed_at_ms", observedAtMs, "stale", false)),
                new byte[0]);
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

    @Test
    void unchangedRowsAreNotSent() {
        var served = new ServedLists();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        served.served(false, "t", "all", 0, List.of(first), null);
        List<EncodedRow> later = List.of(row("okx", "A", 1, 5), row("okx", "B", 3, 5), row("okx", "C", 1, 5));
        ServedLists.Delta delta = since(served, "t", "all", 5_000, List.of(okx(later, first)));
        assertNotNull(delta);
        assertEquals(List.of(later.get(1).rate(), later.get(2).rate()), rates(delta.changed()));
        assertEquals(List.of(), delta.gone());
    }

    @Test
    void everyChangeInBetweenCounts() {
        var served = new ServedLists();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5), row("okx", "C", 3, 5)), null);
        served.served(false, "t", "all", 0, List.of(first), null);
        VenueRows second = okx(List.of(row("okx", "A", 2, 6), row("okx", "B", 2, 5)), first);
        List<EncodedRow> rows = List.of(row("okx", "A", 2, 6), row("okx", "B", 3, 7), row("okx", "D", 3, 5));
        ServedLists.Delta delta = since(served, "t", "all", 5_000, List.of(okx(rows, second)));
        assertNotNull(delta);
        assertEquals(rates(rows), rates(delta.changed()));
        assertEquals(List.of(new ContractKey("okx", "C")), delta.gone());
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
    void venueThatWentLosesItsRows() {
        var served = new ServedLists();
        VenueRows first = okx(List.of(row("okx", "A", 1, 5), row("okx", "B", 2, 5)), null);
        served.served(false, "t", "all", 0, List.of(first), null);
        ServedLists.Delta delta = since(served, "t", "all", 5_000, List.of(okx(List.of(), first)));
        assertNotNull(delta);
        assertEquals(List.of(new ContractKey("okx", "A"), new ContractKey("okx", "B")), delta.gone());
    }

    @Test
    void venueThatCameBackSendsItsRows() {
        var served = new ServedLists();
        VenueRows rows = okx(List.of(row("okx", "A", 1, 5)), null);
        served.served(false, "t", "all", 0, List.of(okx(List.of(), null)), null);
        ServedLists.Delta delta = since(served, "t", "all", 5_000, List.of(rows));
        assertNotNull(delta);
        assertEquals(rows.rows(), delta.changed());
        assertEquals(List.of(), delta.gone());
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
