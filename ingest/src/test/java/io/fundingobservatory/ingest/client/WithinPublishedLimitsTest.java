package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.poll.DiscardedRecords;
import io.fundingobservatory.ingest.poll.SimulatedPoller;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.Publisher;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.limits.LimitPool.Certainty;
import io.fundingobservatory.testbed.sim.limits.PoolUse;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.VenueStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Half an hour of one venue after another in virtual time, strict and at its real distance. Meanwhile the 30
 * days are read, and all contracts settle in the middle. The venue's own table counts what is drawn on each
 * published limit, not the reader's spec. Prints the plan of each: its requests, and the part of each limit that they take.
 *
 * <p>{@code -Dobservatory.limits.venues=all} takes all venues, {@code default} those of the default scope.
 * {@code -Dobservatory.limits.minutes=1440} takes a day. Without them, the test takes half an hour of three venues. One
 * counts weights in two pools, one shares a request a second, one has sixty a minute. Of Hyperliquid it takes three hours.
 */
class WithinPublishedLimitsTest {
    private static final String FOUR = "binance,deepcoin,lighter,hyperliquid";
    private static final long BEGIN = Instant.parse("2026-11-20T15:42:00Z").toEpochMilli();
    private static final @Nullable Integer SET_MINUTES = Integer.getInteger("observatory.limits.minutes");

    /**
     * Hyperliquid's ten lists of deployed markets are requested again each hour, in addition to the rates of
     * those that trade.
     */
    private static final Map<String, Integer> USUAL_MINUTES = Map.of("hyperliquid", 180);

    /** What the documentation of two venues leaves to do in a minute: all their rates come in two and in four requests. */
    private static final Map<String, Set<String>> EACH_POLL = Map.of(
            "binance",
            Set.of("fapi_premiumIndex", "dapi_premiumIndex"),
            "okx",
            Set.of("funding-rate_ANY", "mark-price_SWAP", "index-tickers_USDT", "index-tickers_USD"));

    private static final double ALLOWANCE = 0.2;
    private static final long STALE_MS = 180_000;

    private final Map<String, Long> observed = new HashMap<>();
    private final Map<String, Long> widest = new HashMap<>();
    private final Map<String, Long> sent = new TreeMap<>();
    private long settlements;

    private final Publisher output = new DiscardedRecords() {
        @Override
        public boolean publish(List<Quote> quotes, VenueStatus status) {
            polled(quotes);
            return true;
        }

        @Override
        public boolean publishSettled(List<SettledRate> rates) {
            settlements += rates.size();
            return true;
        }
    };

    private final IngestEvents events = new IngestEvents() {
        @Override
        public void requested(String venue, String request, RequestOutcome outcome) {
            sent.merge(request, 1L, Long::sum);
        }

        @Override
        public void broke(String venue, String step, Throwable bug) {
            throw new AssertionError(step, bug);
        }
    };

    static Stream<Wire> wires() {
        String selected = System.getProperty("observatory.limits.venues", FOUR);
        return Wires.all().stream().filter(wire -> switch (selected) {
            case "all" -> true;
            case "default" -> isDefault(wire.venue());
            default -> List.of(selected.split(",")).contains(wire.venue());
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wires")
    void staysWithinFifthOfPoolsWithoutStaleRows(Wire wire) {
        var exchange = new SimulatedExchange(wire, new SimulatedMarket(8, List.of(wire)), Realism.STRICT);
        Venue venue = Registry.find(wire.venue());
        long begun = System.nanoTime();
        Duration run =
                Duration.ofMinutes(SET_MINUTES != null ? SET_MINUTES : USUAL_MINUTES.getOrDefault(wire.venue(), 30));
        var time = new VirtualTime(run, BEGIN);
        poll(venue, new VirtualVenue(exchange, time), time);

        plan(venue).forEach(System.out::println);
        exchange.use().forEach(use -> System.out.println(use.line()));
        long longest = widest.values().stream().mapToLong(gap -> gap).max().orElse(0);
        System.out.printf(
                "%-12s %d contracts, oldest row %d s, %d settlements read, %d requests in %d s of real time%n",
                wire.venue(),
                observed.size(),
                longest / 1_000,
                settlements,
                exchange.requests(),
                Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        var checks = new ArrayList<Executable>();
        for (PoolUse use : exchange.use()) {
            checks.add(() -> assertEquals(0, use.refused(), use::line));
            double part = use.pool().certainty() == Certainty.PUBLISHED ? ALLOWANCE : 1;
            checks.add(() -> assertTrue(use.isWithin(part, run), use::line));
        }
        checks.add(() -> assertTrue(observed.size() > 5, "contracts of " + wire.venue()));
        if (venue.spec().history() != null) {
            checks.add(() -> assertTrue(settlements > 0, "no settlement of " + wire.venue() + " was read"));
        }
        EACH_POLL.getOrDefault(wire.venue(), Set.of()).forEach(request -> {
            long polls = sent.getOrDefault(request, 0L);
            checks.add(() -> assertTrue(Math.abs(polls - run.toMinutes()) <= 1, request + " " + polls));
        });
        if (isDefault(wire.venue())) {
            checks.add(() -> assertTrue(longest <= STALE_MS, "a row " + longest + " ms old"));
        }
        assertAll(checks);
    }

    /** One line for each request in the order of priorities: how often it was sent, and when it is due. What remains is history. */
    private List<String> plan(Venue venue) {
        var lines = new ArrayList<String>();
        var history = new TreeMap<>(sent);
        venue.spec().requests().stream()
                .sorted(Comparator.comparing(Request::priority))
                .map(request -> "%-12s %-30s %6d, %s"
                        .formatted(
                                request.priority(),
                                request.name(),
                                Objects.requireNonNullElse(history.remove(request.name()), 0L),
                                request.every().isZero() ? "each poll" : "every " + request.every()))
                .forEach(lines::add);
        history.forEach((request, times) -> lines.add("%-12s %-30s %6d".formatted("HISTORY", request, times)));
        return lines;
    }

    private void poll(Venue venue, VirtualVenue exchange, VirtualTime time) {
        SimulatedPoller.run(venue, exchange, time, List.of(), output, events);
        observed.forEach((symbol, at) -> widest.merge(symbol, time.nowMs() - at, Math::max));
    }

    /** How old each row was when the next value of it came. */
    private void polled(List<Quote> quotes) {
        for (Quote quote : quotes) {
            Long before = observed.put(quote.symbol(), quote.observedAtMs());
            if (before != null) {
                widest.merge(quote.symbol(), quote.observedAtMs() - before, Math::max);
            }
        }
    }

    private static boolean isDefault(String venue) {
        return ListedVenue.ALL.stream().anyMatch(listed -> listed.id().equals(venue) && listed.defaultScope());
    }
}
