package io.fundingobservatory.gateway.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.core.request.Selection;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairRankingTest {
    private static final long HOUR = 3_600_000;
    private static final long END = 1_789_999_200_000L;
    private static final List<String> VENUES = List.of("okx", "gate", "lbank", "grvt", "apex", "unlisted");

    private static CarryTable table(String asset, long endMs, Random random) {
        var pairs = new ArrayList<CarryPair>();
        for (int i = random.nextInt(12); i > 0; i--) {
            pairs.add(Samples.pair(
                    Samples.leg(VENUES.get(random.nextInt(2)), asset + "-L" + i, "0", 0, endMs),
                    Samples.leg(
                            VENUES.get(2 + random.nextInt(4)),
                            asset + "-S" + i,
                            // Many ties, spelt with different scales, some beyond a long.
                            List.of("0.1", "0.10", "1e-3", "0.001", "7", "-2.5", "0.123456789012345678901")
                                    .get(random.nextInt(7)),
                            0,
                            endMs),
                    random.nextInt(31),
                    random.nextBoolean() ? null : "gap"));
        }
        var refused = random.nextInt(3) > 0
                ? List.<CarryRefusal>of()
                : List.of(
                        new CarryRefusal("okx", asset, BigDecimal.ONE, "gate", asset, BigDecimal.TEN, "price_differs"));
        return Samples.table(asset, endMs, pairs, refused);
    }

    private static List<Object> everything(PairRanking ranking) {
        return List.of(
                ranking.complete(), ranking.incomplete(), ranking.refused(), ranking.leftOut(), ranking.windowEndMs());
    }

    /** Tables come, change, go and fall out of the window: what is merged is what would be sorted. */
    @Test
    void mergingIsRankingFromScratch() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            Map<String, PairRanking.Table> tables = new TreeMap<>();
            PairRanking merged = null;
            for (int round = 0; round < 60; round++) {
                for (int changes = random.nextInt(4); changes >= 0; changes--) {
                    String asset = "a" + random.nextInt(25);
                    if (random.nextInt(5) == 0 && tables.size() > 1) {
                        tables.remove(asset);
                    } else {
                        long end = END + (random.nextInt(8) == 0 ? random.nextInt(9) - 4 : 0) * HOUR;
                        tables.put(asset, PairRanking.Table.of(table(asset, end, random)));
                    }
                }
                if (!tables.isEmpty()) {
                    merged = merged == null ? PairRanking.none("").with(tables.values()) : merged.with(tables.values());
                    assertEquals(
                            everything(PairRanking.none("").with(tables.values())),
                            everything(merged),
                            "seed " + seed + " round " + round);
                }
            }
        }
    }

    /** What bits select is what names select, of pairs of listed venues. */
    @Test
    void scopeSelectsByVenuesAndAssets() {
        var random = new Random(7);
        List<CarryTable> tables = IntStream.range(0, 40)
                .mapToObj(i -> table("a" + i, END, random))
                .toList();
        PairRanking ranking = Samples.ranking(tables);
        for (int round = 0; round < 200; round++) {
            var venues = new TreeSet<>(VENUES.subList(random.nextInt(2), 2 + random.nextInt(4)));
            TreeSet<String> assets = random.nextBoolean()
                    ? null
                    : new TreeSet<>(List.of("A" + random.nextInt(45), "A" + random.nextInt(45)));
            Set<String> expected = tables.stream()
                    .filter(table ->
                            assets == null || assets.contains(table.asset().toUpperCase(Locale.ROOT)))
                    .flatMap(table -> table.pairs().stream())
                    .filter(pair -> venues.contains(pair.longLeg().venue())
                            && venues.contains(pair.shortLeg().venue()))
                    .filter(CarryPair::complete)
                    .map(pair -> pair.longLeg().symbol())
                    .collect(Collectors.toSet());
            List<String> found =
                    ranking
                            .in(new Scope(true, venues, assets, null, Selection.ALL, Map.of()), ranking.complete())
                            .stream()
                            .map(pair -> pair.longLeg().symbol())
                            .toList();
            assertEquals(expected.size(), found.size());
            assertEquals(expected, Set.copyOf(found));
        }
        assertEquals(
                0,
                ranking.complete().stream()
                        .filter(pair -> pair.shortLeg().venue().equals("unlisted"))
                        .count());
    }

    /** A request for all pairs copies none and looks at none: there are some 220,000. */
    @Test
    void everyVenueIsTheListItself() {
        var ranking = Samples.ranking(List.of(one("A", END)));
        var everywhere = new Scope(true, new TreeSet<>(), null, null, Selection.ALL, Map.of()).atEveryVenue();
        assertSame(ranking.complete(), ranking.in(everywhere, ranking.complete()));
    }

    /** The order of the whole list is that of the exact differences. */
    @Test
    void differencesAreComparedExactly() {
        var random = new Random(3);
        var tables = IntStream.range(0, 60)
                .mapToObj(i -> PairRanking.Table.of(table("a" + i, END, random)))
                .toList();
        List<BigDecimal> differences = PairRanking.none("").with(tables).complete().stream()
                .map(RankedPair::difference)
                .toList();
        var sorted = new ArrayList<>(differences);
        sorted.sort((a, b) -> b.compareTo(a));
        for (int i = 0; i < sorted.size(); i++) {
            assertEquals(0, sorted.get(i).compareTo(differences.get(i)), "place " + i);
        }
    }

    /** One record that is stamped ahead, or behind, hides no other asset. */
    @Test
    void leavesOutAndCountsTableOfAnotherWindow() {
        var tables = new ArrayList<CarryTable>();
        for (int i = 0; i < 10; i++) {
            tables.add(one("A" + i, END));
        }
        tables.add(one("AHEAD", END + 5 * HOUR));
        tables.add(one("BEHIND", END - 3 * HOUR));
        PairRanking ranking = Samples.ranking(tables);
        assertEquals(10, ranking.complete().size());
        assertEquals(2, ranking.leftOut());
        assertEquals(END, ranking.windowEndMs());
    }

    /** On the hour tables are renewed one after another. */
    @Test
    void tablesOfNeighbouringHoursAreShownTogether() {
        for (int renewed = 0; renewed <= 10; renewed++) {
            var tables = new ArrayList<CarryTable>();
            for (int i = 0; i < 10; i++) {
                tables.add(one("A" + i, i < renewed ? END + HOUR : END));
            }
            assertEquals(10, Samples.ranking(tables).complete().size(), renewed + " renewed");
        }
    }

    private static CarryTable one(String asset, long endMs) {
        return Samples.table(
                asset,
                endMs,
                List.of(Samples.pair(
                        Samples.leg("okx", asset, "0", 0, endMs),
                        Samples.leg("binance", asset, "9", 0, endMs),
                        30,
                        null)),
                List.of());
    }
}
