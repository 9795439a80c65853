package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.ingest.backfill.WholeHistory;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.json.SkipReason;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Instants;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the simulated market lists, an exchange's wire format says, and that exchange's reader finds again: exactly the contracts
 * that trade, with exactly their values. For every exchange that has both a wire and a reader.
 */
class RoundTripTest {
    private static final long NOW = Instant.parse("2026-11-20T10:37:42Z").toEpochMilli();
    private static final Duration SPAN = Duration.ofDays(30);
    private static final int HISTORIES = 6;
    private static final BigDecimal TOLERANCE = new BigDecimal("1e-12");
    private static final Set<SkipReason> EXPECTED_SKIPS =
            Set.of(Skip.NOT_PERPETUAL, Skip.NOT_TRADING, Skip.NOT_IN_INSTRUMENT_LIST, Skip.NO_FUNDING_RATE);
    private static final String INTERVAL_BY_SETTLEMENTS = "pionex";

    /** How long after a settlement rows may be left out, by what is known of the venue; 20 s elsewhere. */
    private static final Map<String, Integer> LEFT_OUT_S = Map.of("toobit", 75, "bitfinex", 70);

    private static final Map<String, Set<String>> OTHER_SPELLINGS =
            Map.of("BTC", Set.of("XBT"), "DOGE", Set.of("XDG"), "POL", Set.of("MATIC"));

    /** A contract's rates are one object, requested by its symbol: the format has no place for a second one. */
    private static final Set<String> ONE_OBJECT_A_SYMBOL = Set.of("gemini", "grvt", "poloniex");

    static Stream<Arguments> venues() {
        return Wires.all().stream()
                .filter(wire -> Registry.find(wire.venue()) != null)
                .map(wire -> Arguments.of(wire.venue(), wire));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void everyLiveContractComesBackAndNothingElse(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        long seed = 1 + Math.floorMod(id.hashCode(), 3);
        long now = NOW + seed * 7_777_777;
        MarketSnapshot market = new SimulatedMarket(seed, List.of(wire)).at(wire.venue(), now);
        Rows rows = rows(venue, wire, market);

        Map<String, SimulatedContract> live = market.listings().stream()
                .filter(SimulatedContract::isLive)
                .collect(Collectors.toMap(
                        wire::symbol,
                        l -> l,
                        (a, b) -> {
                            throw new AssertionError("one symbol twice: " + a);
                        },
                        TreeMap::new));
        Map<String, Quote> read =
                rows.quotes().stream().collect(Collectors.toMap(Quote::symbol, q -> q, (a, b) -> a, TreeMap::new));
        var missing = new TreeSet<>(live.keySet());
        missing.removeAll(read.keySet());
        var extra = new TreeSet<>(read.keySet());
        extra.removeAll(live.keySet());
        assertAll(
                () -> assertEquals(
                        Set.of(),
                        missing,
                        () -> "live, and not read; skipped: "
                                + rows.skipped().stream()
                                        .filter(s -> missing.contains(s.symbol())
                                                || s.symbol().equals("?"))
                                        .limit(5)
                                        .toList()),
                () -> assertEquals(Set.of(), extra, "read, and not live"));
        assertAll(live.entrySet().stream().map(e -> () -> assertSame(wire, now, e.getValue(), read.get(e.getKey()))));
        for (Rows.Skipped skip : rows.skipped()) {
            assertTrue(EXPECTED_SKIPS.contains(skip.reason()), skip::toString);
        }
    }

    /** At 00:00:03 and 00:00:40 every contract has just settled, and several exchanges still show what they charged. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void showsNoSettledRateAsTheComingOne(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        for (int seconds : new int[] {3, 18, 40, 120}) {
            long now = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli() + seconds * 1_000L;
            MarketSnapshot market = new SimulatedMarket(7, List.of(wire)).at(id, now);
            Map<String, SimulatedContract> live = market.listings().stream()
                    .filter(SimulatedContract::isLive)
                    .collect(Collectors.toMap(wire::symbol, l -> l));
            Rows rows = rows(venue, wire, market);
            assertAll(rows.quotes().stream().map(quote -> () -> {
                SimulatedContract contract = live.get(quote.symbol());
                Long next = quote.nextFundingMs();
                String what = quote.key() + " " + seconds + " s after its settlement";
                assertTrue(next == null || next > now, () -> what + " names the one that has passed");
                assertCharged(wire, contract, quote, what);
            }));
            int left = live.size() - rows.quotes().size();
            assertEquals(
                    left,
                    rows.skippedByReason().getOrDefault(Skip.SETTLEMENT_PASSED, 0L),
                    () -> "after " + seconds + " s");
            assertTrue(
                    seconds <= LEFT_OUT_S.getOrDefault(id, 20) || left == 0,
                    () -> left + " rows are left out after " + seconds + " s");
        }
    }

    private static void assertCharged(Wire wire, SimulatedContract contract, Quote quote, String what) {
        if (wire.declaresFalsely(contract)) {
            return; // the guard takes its interval away
        }
        BigDecimal expected = quote.rateKind() == RateKind.LAST_SETTLED ? contract.lastSettledRate() : contract.rate();
        BigDecimal fraction = fraction(
                quote.rate(),
                quote.rateUnit(),
                quote.rateHours(),
                BigDecimal.valueOf(contract.intervalH()),
                quote.markPrice(),
                quote.indexPrice());
        assertRate(wire.traits(), expected, fraction, what);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void readsHistoryBack(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        assumeTrue(venue.spec().history() != null, "publishes no settled rates");
        Integer rows = ListedVenue.of(venue.spec().id()).historyReach().newestRows();
        long reach = rows == null ? Long.MAX_VALUE : rows; // at all, where the exchange tells no more
        MarketSnapshot market = new SimulatedMarket(4, List.of(wire)).at(id, NOW);
        VenueResponses responses = WireResponses.of(venue, wire, market);
        Map<String, SimulatedContract> live = market.listings().stream()
                .filter(SimulatedContract::isLive)
                .collect(Collectors.toMap(wire::symbol, l -> l));
        // some of every kind of contract
        Map<Object, List<SimulatedContract>> kinds =
                live.values().stream().collect(Collectors.groupingBy(l -> List.of(l.type(), l.quote(), l.intervalH())));
        for (List<SimulatedContract> kind : kinds.values()) {
            for (SimulatedContract contract : kind.subList(0, Math.min(kind.size(), HISTORIES))) {
                var expected = new TreeMap<Long, BigDecimal>();
                Map<Long, Integer> intervals = new HashMap<>();
                contract.settledBetween(NOW - SPAN.toMillis(), NOW).forEach(s -> {
                    expected.put(s.settledMs(), s.rate());
                    intervals.put(s.settledMs(), s.intervalH());
                });
                Map<Long, SettledRate> published = settled(venue, wire, market, responses, wire.symbol(contract));
                Map<Long, SettledRate> read = venue.spec().rateKind() == RateKind.CONTINUOUS
                        ? addedUp(published, expected, intervals)
                        : published;
                read.keySet().removeIf(instant -> instant < NOW - SPAN.toMillis());
                if (expected.size() > reach) {
                    // the list ends after its newest rows: all of those, and none beside them
                    assertTrue(read.size() >= reach, () -> id + ": only " + read.size());
                    expected.keySet()
                            .retainAll(expected.tailMap(Collections.min(read.keySet()))
                                    .keySet());
                }
                assertEquals(
                        expected.keySet(),
                        read.keySet(),
                        () -> id + " " + wire.symbol(contract) + ": settlement instants");
                read.forEach((instant, rate) -> {
                    BigDecimal hours =
                            rate.intervalH() == null ? BigDecimal.valueOf(intervals.get(instant)) : rate.intervalH();
                    BigDecimal fraction = fraction(
                            rate.rate(),
                            rate.rateUnit(),
                            rate.rateHours(),
                            hours,
                            rate.referencePrice(),
                            rate.referencePrice());
                    assertRate(
                            wire.traits(),
                            expected.get(instant),
                            fraction,
                            wire.symbol(contract) + " at " + Instant.ofEpochMilli(instant));
                });
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void mergesEqualRowsAndSkipsContradictions(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        MarketSnapshot market = new SimulatedMarket(5, List.of(wire), 40).at(id, NOW);
        SimulatedContract first = market.where(SimulatedContract::isLive).getFirst();
        Rows once = rows(venue, wire, market);

        Rows twice = rows(venue, wire, with(market, first));
        assertEquals(symbols(once), symbols(twice));
        assertEquals(null, twice.skippedByReason().get(Skip.CONTRADICTED));

        Rows differing = rows(venue, wire, with(market, changed(first, first.state(), first.intervalH())));
        var expected = new TreeSet<>(symbols(once));
        expected.remove(wire.symbol(first));
        if (!ONE_OBJECT_A_SYMBOL.contains(id)) {
            assertEquals(expected, symbols(differing));
            assertTrue(differing.skippedByReason().containsKey(Skip.CONTRADICTED), () -> differing.skipped() + "");
        }
    }

    /** One contract twice in the list of instruments, as when it was delisted and listed again. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void contradictedContractLeavesHistoryOfOthers(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        MarketSnapshot market = new SimulatedMarket(5, List.of(wire), 40).at(id, NOW);
        SimulatedContract first = market.where(SimulatedContract::isLive).getFirst();
        VenueResponses once = WireResponses.of(venue, wire, market);
        VenueResponses twice = WireResponses.of(
                venue, wire, with(market, changed(first, State.DELISTED, first.intervalH() == 8 ? 4 : 8)));
        for (History history : venue.spec().allHistory()) {
            if (history.keys() != null) {
                var lost = new HashSet<>(history.keys().apply(once).values());
                lost.removeAll(history.keys().apply(twice).values());
                assertTrue(lost.size() <= 1, () -> history.name() + " lost " + lost);
            }
        }
    }

    private static Rows rows(Venue venue, Wire wire, MarketSnapshot market) throws IOException {
        var rows = new Rows(venue.spec(), market.nowMs());
        venue.read(WireResponses.of(venue, wire, market), rows);
        return rows;
    }

    private static Set<String> symbols(Rows rows) {
        return rows.quotes().stream().map(Quote::symbol).collect(Collectors.toCollection(TreeSet::new));
    }

    private static MarketSnapshot with(MarketSnapshot market, SimulatedContract more) {
        return new MarketSnapshot(
                market.nowMs(),
                Stream.concat(market.listings().stream(), Stream.of(more)).toList());
    }

    private static SimulatedContract changed(SimulatedContract of, State state, int hours) {
        return new SimulatedContract(
                of.asset(),
                of.priceScale(),
                of.quote(),
                of.type(),
                state,
                hours,
                of.rate().negate().add(new BigDecimal("0.0001")),
                state == of.state() ? of.nextFundingMs() : of.nextFundingMs() + 3_600_000,
                of.lastSettledRate(),
                of.lastFundingMs(),
                of.markPrice(),
                of.indexPrice(),
                of.history(),
                null);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("venues")
    void detectsVenueErrors(String id, Wire wire) throws IOException {
        Venue venue = Registry.find(id);
        if (!wire.errors().inBand()) { // it comes with a status of its own; without it, it is no row
            if (wire.errorBody().startsWith("{")) {
                assertHasNoRow(venue, WireResponses.parse(wire.errorBody()));
            }
            return;
        }
        assertNotNull(venue.error(WireResponses.parse(wire.errorBody())), wire.errorBody());
        VenueError throttled = venue.error(WireResponses.parse(wire.errors().throttledBody()));
        assertNotNull(throttled, wire.errors().throttledBody());
        assertTrue(throttled.throttled(), throttled.reason());
    }

    private static void assertHasNoRow(Venue venue, JsonValue body) {
        var responses = new VenueResponses();
        venue.spec().requests().forEach(request -> responses.add(request.name(), new Response("", body, NOW)));
        var rows = new Rows(venue.spec(), NOW);
        try {
            venue.read(responses, rows);
        } catch (Skip misshapen) {
            return;
        }
        assertEquals(List.of(), rows.quotes());
    }

    private static Map<Long, SettledRate> settled(
            Venue venue, Wire wire, MarketSnapshot market, VenueResponses responses, String symbol) throws IOException {
        long from = market.nowMs() - SPAN.toMillis();
        List<Settlements> pages = WholeHistory.of(venue, responses, symbol, from, market.nowMs(), requested -> {
            String response = wire.response(
                    SimulatedRequest.of(requested.method(), URI.create(requested.url()), requested.body()), market);
            JsonValue body = response == null ? null : WireResponses.parse(response);
            return body == null || venue.error(body) != null ? null : body;
        });
        var settled = new TreeMap<Long, SettledRate>();
        for (Settlements page : pages) {
            assertEquals(List.of(), page.skipped());
            page.settled().forEach(s -> settled.put(Instants.nearestMinute(s.settledMs()), s));
        }
        return settled;
    }

    /** An exchange without settlements publishes hours: what they add up to over each interval that they cover whole. */
    private static Map<Long, SettledRate> addedUp(
            Map<Long, SettledRate> published, Map<Long, BigDecimal> expected, Map<Long, Integer> intervals) {
        var whole = new TreeMap<Long, SettledRate>();
        intervals.forEach((instant, hours) -> {
            long begins = instant - Duration.ofHours(hours).toMillis();
            if (begins < NOW - SPAN.toMillis()) {
                expected.remove(instant);
                return;
            }
            published.values().stream()
                    .filter(s -> s.settledMs() > begins && Instants.nearestMinute(s.settledMs()) <= instant)
                    .reduce((a, b) -> new SettledRate(
                            a.venue(),
                            a.symbol(),
                            instant,
                            a.rate().add(b.rate()),
                            a.rateUnit(),
                            null,
                            a.intervalH() == null || b.intervalH() == null
                                    ? null
                                    : a.intervalH().add(b.intervalH()),
                            null,
                            a.observedAtMs()))
                    .ifPresent(sum -> whole.put(instant, sum));
        });
        return whole;
    }

    // ---- comparing

    private static void assertSame(Wire wire, long now, SimulatedContract contract, Quote quote) {
        Traits traits = wire.traits();
        String what = quote.key().toString();
        assertTrue(
                spellings(contract).contains(quote.base()),
                () -> what + ": base " + quote.base() + " for " + spellings(contract));
        assertEquals(contract.quote(), quote.quote(), what);
        assertEquals(contract.type(), quote.contractType(), what);
        assertEquals(wire.assetClass(contract), quote.assetClass(), what + " asset class");
        assertEquals(wire.dex(contract), quote.dex(), what + " builder market");
        // where settlements contradict an interval or supply it, that is not the reader's business
        if (!wire.declaresFalsely(contract) && !INTERVAL_BY_SETTLEMENTS.equals(wire.venue())) {
            assertDecimal(
                    traits.publishes(Unpublished.INTERVAL) ? BigDecimal.valueOf(contract.intervalH()) : null,
                    quote.intervalH(),
                    what + " interval");
            assertEquals(
                    traits.publishes(Unpublished.NEXT_FUNDING) ? (Long) contract.nextFundingMs() : null,
                    quote.nextFundingMs(),
                    what + " next");
        }
        assertDecimal(
                traits.publishes(Unpublished.MARK_PRICE) ? contract.markPrice() : null,
                quote.markPrice(),
                what + " mark");
        assertDecimal(
                traits.publishes(Unpublished.INDEX_PRICE) ? contract.indexPrice() : null,
                quote.indexPrice(),
                what + " index");
        if (traits.publishes(Unpublished.VENUE_TIME)) {
            assertNotNull(quote.venueTimeMs(), what + " venue time");
            assertTrue(Math.abs(quote.venueTimeMs() - now) < 10_000, () -> what + " venue time " + quote.venueTimeMs());
        } else {
            assertNull(quote.venueTimeMs(), what + " venue time");
        }
        assertCharged(wire, contract, quote, what);
    }

    /** The value as a fraction of notional per settlement interval. */
    private static BigDecimal fraction(
            BigDecimal value,
            RateUnit unit,
            @Nullable BigDecimal coveredHours,
            BigDecimal intervalH,
            @Nullable BigDecimal mark,
            @Nullable BigDecimal index) {
        MathContext digits = MathContext.DECIMAL128;
        BigDecimal covered = switch (unit) {
            case FRACTION -> value;
            case PERCENT -> value.movePointLeft(2);
            case QUOTE_PER_COIN_AT_INDEX -> value.divide(index, digits);
            case QUOTE_PER_COIN_AT_MARK -> value.divide(mark, digits);
            case COIN_PER_QUOTE_AT_INDEX -> value.multiply(index);
        };
        return coveredHours == null ? covered : covered.multiply(intervalH).divide(coveredHours, digits);
    }

    private static void assertRate(Traits traits, BigDecimal expected, BigDecimal actual, String what) {
        boolean same = traits.publishes(Unpublished.EXACT_RATE)
                ? expected.compareTo(actual) == 0
                : expected.subtract(actual).abs().compareTo(TOLERANCE) < 0;
        assertTrue(same, () -> what + ": rate " + actual.toPlainString() + " instead of " + expected.toPlainString());
    }

    private static void assertDecimal(@Nullable BigDecimal expected, @Nullable BigDecimal actual, String what) {
        boolean same = expected == null || actual == null ? expected == actual : expected.compareTo(actual) == 0;
        assertTrue(same, () -> what + ": " + actual + " instead of " + expected);
    }

    /** How exchanges spell an asset with its price scale. */
    private static Set<String> spellings(SimulatedContract contract) {
        var names = new TreeSet<>(OTHER_SPELLINGS.getOrDefault(contract.asset(), Set.of()));
        names.add(contract.asset());
        if (contract.priceScale() == 1) {
            return names;
        }
        var spelled = new ArrayList<String>();
        for (String name : names) {
            spelled.add(contract.priceScale() + name);
            spelled.add(name + contract.priceScale());
            if (contract.priceScale() == 1_000) {
                spelled.add("k" + name);
                spelled.add("K" + name);
                spelled.add("1K" + name);
            }
            if (contract.priceScale() == 1_000_000) {
                spelled.add("1M" + name);
            }
        }
        return new TreeSet<>(spelled);
    }
}
