package io.fundingobservatory.ingest.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.polling.CommonFactor.Finding;
import io.fundingobservatory.ingest.polling.PollReport.Outcome;
import io.fundingobservatory.ingest.reading.Answers;
import io.fundingobservatory.ingest.reading.Draft;
import io.fundingobservatory.ingest.reading.Header;
import io.fundingobservatory.ingest.reading.Node;
import io.fundingobservatory.ingest.reading.Request;
import io.fundingobservatory.ingest.reading.Rows;
import io.fundingobservatory.ingest.reading.Venue;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One exchange among 48 whose figures are off by a factor is found, and an honest one never is. */
class CommonFactorTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final int SEEDS = 6;
    private static final double[] FACTORS = {3, 8, 100, 1000, 8760, 1 / 3.0, 1 / 8.0, 1 / 100.0, 1 / 1000.0, 1 / 8760.0
    };

    /** The 48 simulated exchanges' 8-hour rates. */
    private static Map<String, Map<String, Double>> market(long seed, long nowMs) {
        var market = new SimulatedMarket(seed, Wires.all());
        var all = new TreeMap<String, Map<String, Double>>();
        for (Wire wire : Wires.all()) {
            var rates = new HashMap<String, Double>();
            for (Listing listing : market.at(wire.venue(), nowMs).listings()) {
                if (listing.isLive()) {
                    rates.putIfAbsent(
                            EightHourRates.asset(listing.asset()),
                            listing.rate().doubleValue() * 8 / listing.intervalH());
                }
            }
            all.put(wire.venue(), rates);
        }
        return all;
    }

    private static Finding find(Map<String, Map<String, Double>> all, String venue, double factor) {
        var own = new HashMap<>(all.get(venue));
        own.replaceAll((asset, rate) -> rate * factor);
        var others = new HashMap<>(all);
        others.remove(venue);
        return CommonFactor.find(own, others.values());
    }

    @Test
    void noHonestExchangeIsEverSuspected() {
        int compared = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var all = market(seed, NOW + seed * 5_000_000L);
            assertEquals(48, all.size());
            for (String venue : all.keySet()) {
                assertNull(find(all, venue, 1), venue + " of seed " + seed);
                // an honest change of everything by a factor that is no unit's
                assertNull(find(all, venue, 1.5), venue + " of seed " + seed);
                assertNull(find(all, venue, 20), venue + " of seed " + seed);
                compared++;
            }
        }
        assertEquals(48 * SEEDS, compared);
    }

    /** Wrong from the first poll on: only the other exchanges to compare with. */
    @Test
    void aFactorThatWasThereFromTheStartIsFoundWhereEnoughIsListed() {
        var found = new TreeMap<Double, Integer>();
        var foundAmongLong = new TreeMap<Double, Integer>();
        int longLists = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var all = market(seed, NOW + seed * 7_000_000L);
            for (String venue : all.keySet()) {
                boolean isLong = all.get(venue).size() >= 100;
                longLists += isLong ? 1 : 0;
                for (double factor : FACTORS) {
                    Finding finding = find(all, venue, factor);
                    if (finding != null) {
                        found.merge(factor, 1, Integer::sum);
                        foundAmongLong.merge(factor, isLong ? 1 : 0, Integer::sum);
                        assertEquals(words(factor), finding.words(), venue);
                    }
                }
            }
        }
        System.out.println("from the start, of " + 48 * SEEDS + ": " + found + "; of " + longLists + " long lists: "
                + foundAmongLong);
        for (double factor : FACTORS) {
            boolean three = Math.abs(Math.log(factor)) < 2;
            int least = three ? longLists * 80 / 100 : longLists;
            assertTrue(foundAmongLong.get(factor) >= least, factor + " times: " + foundAmongLong + " of " + longLists);
        }
    }

    /** Right at first and then off by a factor: found at every exchange, held until it is right again, and then let go. */
    @Test
    void aFactorThatComesWhileWeWatchIsFoundAtEveryExchange() {
        var missed = new TreeMap<Double, List<String>>();
        for (int seed = 0; seed < 3; seed++) {
            long before = NOW + seed * 11_000_000L;
            var first = market(seed, before);
            var second = market(seed, before + 60_000);
            var later = market(seed, before + 40 * 60_000);
            for (String venue : first.keySet()) {
                for (double factor : FACTORS) {
                    var board = new RateBoard();
                    first.forEach((id, rates) -> board.compare(id, rates, before));
                    Finding finding = board.compare(venue, times(second.get(venue), factor), before + 60_000);
                    if (finding == null) {
                        missed.computeIfAbsent(factor, f -> new java.util.ArrayList<>())
                                .add(venue);
                        continue;
                    }
                    assertEquals(words(factor), finding.words(), venue);
                    assertNotNull(
                            board.compare(venue, times(later.get(venue), factor), before + 40 * 60_000),
                            venue + " is let go too early, " + factor);
                    assertNull(board.compare(venue, later.get(venue), before + 41 * 60_000), venue + " is held");
                }
            }
        }
        System.out.println("while watched, missed of " + 48 * 3 + " each: " + missed);
        assertEquals(Map.of(), missed);
    }

    @Test
    void hoursOfHonestPollsRaiseNoAlarm() {
        int polls = 0;
        for (int seed = 10; seed < 13; seed++) {
            var board = new RateBoard();
            // over the settlements of every interval
            for (long now = NOW; now < NOW + 9 * 3_600_000L; now += 9 * 60_000) {
                for (var venue : market(seed, now).entrySet()) {
                    Finding finding = board.compare(venue.getKey(), venue.getValue(), now);
                    assertNull(finding, venue.getKey() + " of seed " + seed + " at " + now);
                    polls++;
                }
            }
        }
        System.out.println("honest polls without alarm: " + polls);
    }

    private static Map<String, Double> times(Map<String, Double> rates, double factor) {
        var off = new HashMap<>(rates);
        off.replaceAll((asset, rate) -> rate * factor);
        return off;
    }

    private static String words(double factor) {
        return factor > 1 ? Math.round(factor) + " times" : "1/" + Math.round(1 / factor);
    }

    @Test
    void exchangesThatSitAtAFloorAreLeftAlone() {
        var random = new Random(1);
        var all = new TreeMap<String, Map<String, Double>>();
        for (int venue = 0; venue < 12; venue++) {
            var rates = new HashMap<String, Double>();
            for (int asset = 0; asset < 200; asset++) {
                // most at the usual floor, the rest scattered below it
                rates.put("A" + asset, random.nextInt(10) < 6 ? 0.0001 : 0.00002 + 0.00003 * random.nextDouble());
            }
            all.put("v" + venue, rates);
        }
        for (double floor : new double[] {0.0001, 0.00005, 0.0003, 0.0008, 0.0000125, 0.01}) {
            var own = new HashMap<String, Double>();
            all.get("v0").keySet().forEach(asset -> own.put(asset, floor));
            assertNull(CommonFactor.find(own, all.values()), "all at " + floor);
        }
    }

    @Test
    void tooFewExchangesOrSymbolsSayNothing() {
        var all = market(1, NOW);
        Map<String, Double> own = new HashMap<>(all.remove("binance"));
        own.replaceAll((asset, rate) -> rate * 8);
        List<Map<String, Double>> others = List.copyOf(all.values());
        assertNull(CommonFactor.find(own, others.subList(0, 4)));
        var few = new HashMap<String, Double>();
        own.entrySet().stream().limit(7).forEach(e -> few.put(e.getKey(), e.getValue()));
        assertNull(CommonFactor.find(few, others));
    }

    @Test
    void multipliersAndSpellingsAreOneAsset() {
        assertEquals("PEPE", EightHourRates.asset("1000PEPE"));
        assertEquals("PEPE", EightHourRates.asset("kPEPE"));
        assertEquals("MOG", EightHourRates.asset("1MMOG"));
        assertEquals("BTC", EightHourRates.asset("XBT"));
        assertEquals("1INCH", EightHourRates.asset("1INCH"));
        assertEquals("10000", EightHourRates.asset("10000"));
    }

    @Test
    void aQuarantinedPollIsNotPublishedAndTheOldRowsStay() throws IOException {
        var board = new RateBoard();
        for (String id : List.of("okx", "bybit", "gate", "mexc", "htx", "bingx")) {
            assertEquals(
                    Outcome.OK,
                    new PollInterpreter(venue(id), Source.SIMULATED, board, null)
                            .read(rates(1, id), NOW, Duration.ZERO)
                            .outcome());
        }
        var reading = new PollInterpreter(venue("binance"), Source.SIMULATED, board, null);
        PollReport honest = reading.read(rates(1, "binance"), NOW, Duration.ZERO);
        assertEquals(Outcome.OK, honest.outcome());

        PollReport off = reading.read(rates(8, "binance"), NOW + 60_000, Duration.ZERO);
        assertEquals(Outcome.QUARANTINED, off.outcome());
        assertEquals(List.of(), off.quotes());
        assertEquals(honest.status().lastSuccessMs(), off.status().lastSuccessMs());
        assertEquals(honest.status().symbols(), off.status().symbols());
        assertEquals(NOW + 60_000, off.status().lastFailureMs());
        assertEquals(
                "held back: its rates are 8 times what they should be on most of 60 symbols",
                off.status().reason());

        PollReport again = reading.read(rates(1, "binance"), NOW + 120_000, Duration.ZERO);
        assertEquals(Outcome.OK, again.outcome());
        assertNotNull(again.status().lastSuccessMs());
    }

    private static PollAnswers rates(int factor, String id) throws IOException {
        var random = new Random(id.hashCode());
        var market = new Random(5);
        var rows = new StringBuilder("[");
        for (int i = 0; i < 60; i++) {
            double rate = (0.00005 + 0.0004 * market.nextDouble()) * (0.9 + 0.2 * random.nextDouble()) * factor;
            rows.append(i == 0 ? "" : ",").append("{\"symbol\":\"A%d\",\"rate\":\"%.9f\"}".formatted(i, rate));
        }
        Node body = Node.parse(rows.append(']').toString().getBytes(StandardCharsets.UTF_8));
        Answers answers = new Answers().add("rates", new Answers.Answer("", body, NOW));
        return new PollAnswers(answers, true, NOW, 1, List.of());
    }

    private static Venue venue(String id) {
        Header header = Header.venue(id)
                .docs("https://docs.example", "2026-09-15")
                .rate(RateKind.ESTIMATE)
                .limit("api.example.com", 600, 60)
                .request(Request.get("rates", "https://api.example.com/rates"))
                .build();
        return new Venue() {
            @Override
            public Header header() {
                return header;
            }

            @Override
            public void read(Answers answers, Rows rows) {
                rows.each(
                        answers.rows("rates"),
                        "symbol",
                        row -> Draft.linear(row.text("symbol"), "USDT")
                                .rate(row.fundingRate("rate"))
                                .intervalHours(8, IntervalSource.DOCUMENTED));
            }
        };
    }
}
