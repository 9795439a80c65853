package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.ingest.venues.WireResponses;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Arithmetic over every data sheet, with as many contracts as the venues list. The rates of a minute and the
 * settlements of an hour fit into our fifth of each published limit. It also checks how long 31 days of
 * settlements take within it.
 */
class RateLimitAllowancesTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final Duration REACH = Duration.ofDays(31);
    private static final BigDecimal HOUR = BigDecimal.ONE;

    /** Single symbols are requested every second minute while settled rates wait to be read. */
    private static final int SLOWED_ONE_OF = 2;

    /** A request takes so long, one after the other, in about three quarters of each minute. */
    private static final double REQUESTS_A_MINUTE = 45 / 0.2;

    private static final long MINUTES = 60;

    /** Why the past of some of the exchanges shown by default takes longer than an hour at a fifth of what they publish. */
    private static final Map<String, String> SLOW = Map.of(
            "aster",
            "one request for each contract, and 8 a minute: a fifth of the 40 after which its front server refuses",
            "hyperliquid",
            "351 coins x (45 + 33) weight for 744 hourly rows are 27,000; 240 a minute less 20 for the main market and 100 for every"
                    + " second of ten dexes leave 120");

    /** Bitfinex tells a status a minute, 5,000 of them a page: 31 days are 9 pages, whatever number of settlements is in them. */
    private static final Map<String, Double> PAGES = Map.of("bitfinex", 9.0);

    private record Fit(String venue, double minutes, List<String> misfits) {}

    private final Map<String, Double> minutesByVenue = new TreeMap<>();

    private static Fit fit(Venue venue) throws IOException {
        VenueSpec spec = venue.spec();
        String id = spec.id();
        Wire wire = Wires.of(id);
        MarketSnapshot market = new SimulatedMarket(3, List.of(wire)).at(id, NOW);
        VenueResponses responses = WireResponses.of(venue, wire, market);
        var rows = new Rows(spec, NOW);
        venue.read(responses, rows);

        var rates = new HashMap<String, Double>();
        for (Request request : spec.requests()) {
            if (request.isFrequent()) {
                double times = request.keys() == null
                        ? Math.max(1, responses.all(request.name()).size())
                        : Math.ceilDiv(responses.all(request.name()).size(), SLOWED_ONE_OF);
                add(rates, request.declared().cost(), times);
            }
        }
        RateLimitPools pools = RateLimitPools.of(spec);
        var whole = new HashMap<String, Integer>();
        rates.forEach((pool, units) -> whole.put(pool, (int) Math.ceil(units)));
        pools.rateUnitsPerMinute(whole);

        var misfits = new ArrayList<String>();
        pools.all().forEach(pool -> check(misfits, pool, TrafficClass.POLLS, rates.getOrDefault(pool.name(), 0.0)));
        if (spec.history() == null) {
            return new Fit(id, 0, misfits);
        }
        var hourly = new HashMap<String, Double>();
        var backfill = new HashMap<String, Double>();
        double pagesOfAll = 0;
        for (Quote quote : rows.quotes()) {
            History address = address(spec.history(), quote.symbol(), responses);
            BigDecimal hours = quote.intervalH() == null || quote.intervalH().signum() == 0 ? HOUR : quote.intervalH();
            if (address == null) {
                continue;
            }
            double interval = Math.max(1, hours.doubleValue());
            if (!inBulk(spec, quote.symbol(), responses)) {
                add(hourly, cost(address, Duration.ofMinutes((long) (interval * 60))), 1 / interval);
            }
            double pages = PAGES.getOrDefault(id, pages(address, interval));
            pagesOfAll += pages;
            Duration page = REACH.dividedBy((long) pages);
            add(backfill, cost(address, page), pages);
        }
        spec.bulkHistory().forEach(bulk -> add(hourly, cost(bulk, Duration.ofHours(1)), 4));
        double minutes = pagesOfAll / REQUESTS_A_MINUTE;
        for (RateLimitPool pool : pools.all()) {
            check(misfits, pool, TrafficClass.HISTORY, hourly.getOrDefault(pool.name(), 0.0) / MINUTES);
            double units = backfill.getOrDefault(pool.name(), 0.0);
            minutes = units == 0 ? minutes : Math.max(minutes, units / pool.perMinute(TrafficClass.HISTORY));
        }
        return new Fit(id, minutes, misfits);
    }

    private static void check(List<String> misfits, RateLimitPool pool, TrafficClass traffic, double perMinute) {
        if (perMinute > pool.perMinute(traffic)) {
            misfits.add("%s: %s need %.1f a minute and have %d"
                    .formatted(pool.name(), traffic, perMinute, pool.perMinute(traffic)));
        }
    }

    private static double pages(History address, double intervalH) {
        double rows = REACH.toHours() / intervalH + 1;
        double pages = address.paging() == Paging.NONE ? 1 : Math.ceil(rows / address.maxRows());
        return address.longest() == null
                ? pages
                : Math.max(
                        pages,
                        Math.ceil((double) REACH.toMillis() / address.longest().toMillis()));
    }

    private static @Nullable History address(List<History> histories, String symbol, VenueResponses responses) {
        return histories.stream()
                .filter(h -> h.keys() == null || h.keys().apply(responses).containsValue(symbol))
                .findFirst()
                .orElse(null);
    }

    private static boolean inBulk(VenueSpec spec, String symbol, VenueResponses responses) {
        return address(spec.bulkHistory(), symbol, responses) != null;
    }

    private static Map<String, Integer> cost(History history, Duration span) {
        return history.weight(history.weight(span)).declared().cost();
    }

    private static void add(Map<String, Double> sums, Map<String, Integer> cost, double times) {
        cost.forEach((pool, units) -> sums.merge(pool, units * times, Double::sum));
    }

    @Test
    void ratesAndHourlySettlementsFitFifthOfLimits() throws IOException {
        var misfits = new ArrayList<String>();
        var slow = new ArrayList<String>();
        for (Venue venue : Registry.all()) {
            Fit fit = fit(venue);
            fit.misfits().forEach(misfit -> misfits.add(fit.venue() + ": " + misfit));
            if (venue.spec().history() != null) {
                minutesByVenue.put(fit.venue(), fit.minutes());
                if (ListedVenue.of(venue.spec().id()).defaultScope()
                        && fit.minutes() > MINUTES
                        && !SLOW.containsKey(fit.venue())) {
                    slow.add("%s %.0f min".formatted(fit.venue(), fit.minutes()));
                }
            }
        }
        System.out.println("31 days of settlements at a fifth of the published limits, minutes:");
        minutesByVenue.forEach((venue, minutes) -> System.out.printf(
                "  %-12s %6.0f%s%n", venue, minutes, SLOW.containsKey(venue) ? "  " + SLOW.get(venue) : ""));
        assertEquals(List.of(), misfits);
        assertEquals(List.of(), slow, "longer than an hour, for no reason that is known");
        SLOW.keySet().forEach(venue -> assertTrue(minutesByVenue.get(venue) > MINUTES, venue + " is no longer slow"));
    }
}
