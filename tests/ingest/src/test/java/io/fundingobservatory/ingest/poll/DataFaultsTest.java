package io.fundingobservatory.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.ingest.backfill.SettlementGaps;
import io.fundingobservatory.ingest.client.VirtualTime;
import io.fundingobservatory.ingest.client.VirtualVenue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.poll.guards.CommonFactorGuard;
import io.fundingobservatory.ingest.poll.guards.RowGuard;
import io.fundingobservatory.ingest.poll.guards.VenueGuards;
import io.fundingobservatory.ingest.publish.IngestEvents;
import io.fundingobservatory.ingest.publish.PollReport;
import io.fundingobservatory.ingest.publish.PollReport.Outcome;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedMarket;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.testbed.sim.server.Realism;
import io.fundingobservatory.testbed.sim.server.SimulatedExchange;
import io.fundingobservatory.testbed.sim.venues.Wires;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Source;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong data that is well-formed, at every exchange: the right value or none, never a silently wrong row. */
class DataFaultsTest {
    private static final Duration FOR_KEYS = Duration.ofMinutes(20);

    /**
     * A contract's rates are one object, requested by its symbol: the format has no place for a second one.
     * An object with the same member twice is skipped like a second row (DamagedBodiesTest).
     */
    private static final Set<String> ONE_OBJECT_A_SYMBOL = Set.of("gemini", "grvt", "poloniex");

    static Stream<String> venues() {
        return Wires.all().stream().map(Wire::venue);
    }

    /** One exchange that is polled in virtual time. */
    private static final class Polled {
        final Wire wire;
        final VirtualTime time = new VirtualTime(Duration.ofDays(30));
        final SimulatedExchange exchange;
        final VenueFetcher responses;
        final GuardedReader builder;

        Polled(String id) {
            this.wire = Wires.of(id);
            this.exchange = new SimulatedExchange(
                    wire, new SimulatedMarket(5, List.of(wire), Realism.SMALL.contracts()), Realism.LENIENT);
            this.responses = new VenueFetcher(
                    Registry.find(id), new VirtualVenue(exchange, time), time, new Random(1), IngestEvents.NONE);
            this.builder = new GuardedReader(
                    Registry.find(id), Source.SIMULATED, new VenueGuards(id, new CommonFactorGuard(), false), null);
        }

        PollReport poll(UnaryOperator<MarketSnapshot> change) throws InterruptedException {
            return builder.read(responses(change), new SettlementGaps(), time.nowMs(), Duration.ZERO);
        }

        PollResponses responses(UnaryOperator<MarketSnapshot> change) throws InterruptedException {
            exchange.change(change);
            // so that lists are requested again and no value of the poll before counts
            time.pause(Duration.ofHours(25));
            return responses.poll(FOR_KEYS);
        }

        Map<String, Quote> quotes(PollReport report) {
            return report.quotes().stream().collect(Collectors.toMap(Quote::symbol, Function.identity()));
        }
    }

    private static UnaryOperator<MarketSnapshot> each(UnaryOperator<SimulatedContract> change) {
        return moment -> new MarketSnapshot(
                moment.nowMs(), moment.listings().stream().map(change).toList());
    }

    private static SimulatedContract with(
            SimulatedContract l, BigDecimal rate, int hours, BigDecimal mark, BigDecimal index) {
        return new SimulatedContract(
                l.asset(),
                l.priceScale(),
                l.quote(),
                l.type(),
                l.state(),
                hours,
                rate,
                l.nextFundingMs(),
                l.lastSettledRate(),
                l.lastFundingMs(),
                mark,
                index,
                l.history(),
                null);
    }

    private static UnaryOperator<MarketSnapshot> andAgain(UnaryOperator<SimulatedContract> change) {
        return moment -> {
            var listings = new ArrayList<>(moment.listings());
            moment.listings().stream()
                    .filter(SimulatedContract::isLive)
                    .limit(1)
                    .map(change)
                    .forEach(listings::add);
            return new MarketSnapshot(moment.nowMs(), listings);
        };
    }

    @ParameterizedTest
    @MethodSource("venues")
    void mergesEqualDuplicatesAndSkipsContradictions(String id) throws InterruptedException {
        var polled = new Polled(id);
        PollReport same = polled.poll(andAgain(l -> l));
        long live = polled.exchange.moment(polled.time.nowMs()).listings().stream()
                .filter(SimulatedContract::isLive)
                .map(polled.wire::symbol)
                .distinct()
                .count();
        assertTrue(
                same.quotes().size() >= live * 9 / 10,
                () -> same.quotes().size() + " of " + live + " " + same.status());
        assertEquals(
                null,
                same.status().skipped().get(Skip.CONTRADICTED.toString()),
                same.status().toString());

        PollReport differing = polled.poll(andAgain(l -> with(
                l, l.rate().negate().add(new BigDecimal("0.0001")), l.intervalH(), l.markPrice(), l.indexPrice())));
        SimulatedContract first = polled.exchange.moment(polled.time.nowMs()).listings().stream()
                .filter(SimulatedContract::isLive)
                .findFirst()
                .orElseThrow();
        Quote shown = polled.quotes(differing).get(polled.wire.symbol(first));
        if (!ONE_OBJECT_A_SYMBOL.contains(id)) {
            assertNull(shown, id);
            assertTrue(
                    differing.status().skipped().getOrDefault(Skip.CONTRADICTED.toString(), 0L) > 0,
                    differing.status().toString());
        }
    }

    /** One contract twice in the list of instruments, as when it was delisted and listed again. */
    @ParameterizedTest
    @MethodSource("venues")
    void contradictedContractLeavesHistoryOfOthers(String id) throws InterruptedException {
        var polled = new Polled(id);
        PollResponses once = polled.responses(UnaryOperator.identity());
        PollResponses twice = polled.responses(andAgain(DataFaultsTest::otherwise));
        var spec = Registry.find(id).spec();
        Stream.concat(Stream.ofNullable(spec.history()).flatMap(List::stream), spec.bulkHistory().stream())
                .filter(history -> history.keys() != null)
                .forEach(history -> {
                    Set<String> before =
                            Set.copyOf(history.keys().apply(once.responses()).values());
                    Set<String> after =
                            Set.copyOf(history.keys().apply(twice.responses()).values());
                    var lost = new HashSet<>(before);
                    lost.removeAll(after);
                    assertTrue(lost.size() <= 1, () -> history.name() + " lost " + lost);
                });
    }

    /** The same contract with each field of a list's row changed that it can have. */
    private static SimulatedContract otherwise(SimulatedContract l) {
        return new SimulatedContract(
                l.asset(),
                l.priceScale(),
                l.quote(),
                l.type(),
                State.DELISTED,
                l.intervalH() == 8 ? 4 : 8,
                l.rate().negate().add(new BigDecimal("0.0001")),
                l.nextFundingMs() + 3_600_000,
                l.lastSettledRate(),
                l.lastFundingMs(),
                l.markPrice(),
                l.indexPrice(),
                l.history(),
                null);
    }

    @ParameterizedTest
    @MethodSource("venues")
    void reportsHalfAListAsPartial(String id) throws InterruptedException {
        var polled = new Polled(id);
        for (int i = 0; i < 3; i++) {
            polled.poll(UnaryOperator.identity());
        }
        PollReport half = polled.poll(moment -> new MarketSnapshot(
                moment.nowMs(), moment.listings().subList(0, moment.listings().size() / 2)));
        assertTrue(half.outcome() != Outcome.OK, () -> half.quotes().size() + " rows: " + half.status());
        assertNotNull(half.status().reason());
    }

    @ParameterizedTest
    @MethodSource("venues")
    void quarantinesVenueAheadOfOurClock(String id) throws InterruptedException {
        var polled = new Polled(id);
        PollReport ahead = polled.poll(moment -> new MarketSnapshot(moment.nowMs() + 3_600_000, moment.listings()));
        for (Quote quote : ahead.quotes()) {
            Long venueTime = quote.venueTimeMs();
            assertTrue(venueTime == null || venueTime <= polled.time.nowMs() + 60_000, quote::toString);
        }
        if (polled.wire.traits().publishes(Unpublished.VENUE_TIME)) {
            assertEquals(List.of(), ahead.quotes());
            String reason = ahead.status().reason();
            // two readers find by the time itself that nothing trades
            assertTrue(
                    reason.contains(RowGuard.VENUE_TIME_AHEAD.toString())
                            || reason.contains(Skip.NOT_TRADING.toString()),
                    reason);
        }
    }

    @ParameterizedTest
    @MethodSource("venues")
    void skipsRowsWithoutPositivePrice(String id) throws InterruptedException {
        int judged = 0;
        for (String price : List.of("0", "-12.5")) {
            var polled = new Polled(id);
            var wrong = new BigDecimal(price);
            PollReport report;
            try {
                report = polled.poll(each(l -> with(l, l.rate(), l.intervalH(), wrong, wrong)));
            } catch (ArithmeticException e) {
                // An exchange that divides by its price cannot write this down; a reader must not throw.
                assertTrue(isOfSimulator(e), e::toString);
                continue;
            }
            judged++;
            for (Quote quote : report.quotes()) {
                assertTrue(quote.markPrice() == null || quote.markPrice().signum() > 0, quote::toString);
                assertTrue(quote.indexPrice() == null || quote.indexPrice().signum() > 0, quote::toString);
            }
        }
        assertTrue(judged > 0, id);
    }

    /** Whether the first class of ours that threw it is the simulated venue. */
    private static boolean isOfSimulator(Exception thrown) {
        return Stream.of(thrown.getStackTrace())
                .map(StackTraceElement::getClassName)
                .filter(name -> name.startsWith("io.fundingobservatory."))
                .findFirst()
                .orElse("")
                .startsWith("io.fundingobservatory.testbed.");
    }

    @ParameterizedTest
    @MethodSource("venues")
    void aChangedIntervalIsReadAsItIs(String id) throws InterruptedException {
        var polled = new Polled(id);
        assumeTrue(
                polled.wire.traits().publishes(Unpublished.INTERVAL)
                        && polled.wire.traits().intervals().size() > 1,
                "one interval, or none in its responses");
        polled.poll(UnaryOperator.identity());
        List<Integer> possible = polled.wire.traits().intervals();
        PollReport changed = polled.poll(each(l -> {
            int hours = possible.get((possible.indexOf(l.intervalH()) + 1) % possible.size());
            return with(l, l.rate(), hours, l.markPrice(), l.indexPrice());
        }));
        Map<String, Quote> quotes = polled.quotes(changed);
        assertTrue(!quotes.isEmpty(), () -> changed.status().toString());
        for (SimulatedContract contract :
                polled.exchange.moment(polled.time.nowMs()).listings()) {
            Quote quote = quotes.get(polled.wire.symbol(contract));
            // an interval that is the distance of two settlements changes with those
            if (quote != null
                    && quote.intervalH() != null
                    && !polled.wire.declaresFalsely(contract)
                    && quote.intervalSource() != IntervalSource.ANNOUNCED_SETTLEMENTS) {
                assertEquals(0, quote.intervalH().compareTo(BigDecimal.valueOf(contract.intervalH())), quote::toString);
            }
        }
    }
}
