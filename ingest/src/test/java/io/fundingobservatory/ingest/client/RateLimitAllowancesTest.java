package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.spec.History;
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
import io.fundingobservatory.topics.records.Quote;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Arithmetic over every data sheet, with as many contracts as the venues list. The rates of a minute and the
 * settlements of an hour fit into our fifth of each published limit.
 */
class RateLimitAllowancesTest {
    private static final long NOW = 1_790_000_000_000L;

    /** Single symbols are requested every second minute while settled rates wait to be read. */
    private static final int SLOWED_ONE_OF = 2;

    private static final int MINUTES = 60;

    static Stream<Venue> venues() {
        return Registry.all().stream();
    }

    @ParameterizedTest
    @MethodSource("venues")
    void ratesAndHourlySettlementsFitFifthOfLimits(Venue venue) throws IOException {
        VenueSpec spec = venue.spec();
        Wire wire = Wires.of(spec.id());
        MarketSnapshot market = new SimulatedMarket(3, List.of(wire)).at(spec.id(), NOW);
        VenueResponses responses = WireResponses.of(venue, wire, market);
        RateLimitPools pools = RateLimitPools.of(spec);
        Map<String, Double> rates = ratesAMinute(spec, responses);
        var whole = new HashMap<String, Integer>();
        rates.forEach((pool, units) -> whole.put(pool, (int) Math.ceil(units)));
        pools.rateUnitsPerMinute(whole);
        var rows = new Rows(spec, NOW);
        venue.read(responses, rows);
        Map<String, Double> history = historyAnHour(spec, rows.quotes(), responses);
        assertAll(pools.all().stream().map(pool -> () -> {
            assertFits(pool, TrafficClass.POLLS, rates.getOrDefault(pool.name(), 0.0));
            assertFits(pool, TrafficClass.HISTORY, history.getOrDefault(pool.name(), 0.0) / MINUTES);
        }));
    }

    private static void assertFits(RateLimitPool pool, TrafficClass traffic, double perMinute) {
        assertTrue(
                perMinute <= pool.perMinute(traffic),
                () -> "%s: %s need %.1f a minute and have %d"
                        .formatted(pool.name(), traffic, perMinute, pool.perMinute(traffic)));
    }

    private static Map<String, Double> ratesAMinute(VenueSpec spec, VenueResponses responses) {
        var rates = new HashMap<String, Double>();
        for (Request request : spec.requests()) {
            if (request.isFrequent()) {
                int requests = responses.all(request.name()).size();
                add(
                        rates,
                        request.declared().cost(),
                        request.keys() == null ? Math.max(1, requests) : Math.ceilDiv(requests, SLOWED_ONE_OF));
            }
        }
        return rates;
    }

    private static Map<String, Double> historyAnHour(VenueSpec spec, List<Quote> quotes, VenueResponses responses) {
        var hourly = new HashMap<String, Double>();
        spec.bulkHistory().forEach(bulk -> add(hourly, cost(bulk, 1), 4));
        for (Quote quote : quotes) {
            double hours = quote.intervalH() == null
                    ? 1
                    : Math.max(1, quote.intervalH().doubleValue());
            History endpoint = endpoint(spec.history(), quote.symbol(), responses);
            if (endpoint != null && endpoint(spec.bulkHistory(), quote.symbol(), responses) == null) {
                add(hourly, cost(endpoint, hours), 1 / hours);
            }
        }
        return hourly;
    }

    private static @Nullable History endpoint(
            @Nullable List<History> histories, String symbol, VenueResponses responses) {
        return histories == null
                ? null
                : histories.stream()
                        .filter(h ->
                                h.keys() == null || h.keys().apply(responses).containsValue(symbol))
                        .findFirst()
                        .orElse(null);
    }

    private static Map<String, Integer> cost(History history, double hours) {
        return history.weight(history.weight(Duration.ofMinutes((long) (hours * MINUTES))))
                .declared()
                .cost();
    }

    private static void add(Map<String, Double> sums, Map<String, Integer> cost, double times) {
        cost.forEach((pool, units) -> sums.merge(pool, units * times, Double::sum));
    }
}
