package io.fundingobservatory.ingest;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.VirtualIngest.Reported;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.venues.Registry;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.server.Fault;
import io.fundingobservatory.testbed.sim.server.HostileBody;
import io.fundingobservatory.topics.ListedVenue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Settled rates are refused in four ways, while venues are polled within their published limits. Rates lose nothing, the
 * affected venue reports the reason, and its history is read afterwards.
 *
 * <p>All venues of the default scope that have a history take part, and each of all with {@code -Dobservatory.limits.venues=all}.
 */
@Tag("nightly")
class HistoryRefusalsTest {
    /** No contract settles in the minutes of refusals. */
    private static final Instant START = Instant.parse("2026-11-20T15:42:00Z");

    private static final boolean ALL = "all".equals(System.getProperty("observatory.limits.venues"));
    private static final int CONTRACTS = 22;

    /** Rows of rates that are requested all at once are a poll old at most, and a request takes a while. */
    private static final long POLL_S = 65;

    /**
     * Rates that are requested one by one come every second minute while settled rates wait to be read. They
     * come a minute later where those have just used the allowance. A request waits for allowance up to 45 s.
     */
    private static final long ONE_BY_ONE_S = 225;

    /** What an exchange does to requests for settled rates, and what its status says of it. */
    private enum Refusal {
        NONE(null, ""),
        FORBIDDEN(new Fault.ServerError(403), ".*HTTP 403.*"),
        METHOD_NOT_ALLOWED(new Fault.ServerError(405), ".*HTTP 405.*"),
        A_THIRD_REFUSED_IN_BAND(new Fault.InBandError(), "\\d+ of \\d+ contracts could not be read: .*"),
        DEEP(new Fault.Hostile(HostileBody.DEEP), ".*unreadable response: .*");

        final Fault fault;
        final String problem;

        Refusal(Fault fault, String problem) {
            this.fault = fault;
            this.problem = problem;
        }
    }

    private static List<ListedVenue> venues() {
        return ListedVenue.ALL.stream()
                .filter(venue -> ALL || venue.defaultScope())
                .toList();
    }

    private static void unharmed(List<Reported> reported, long oldestS, String venue) {
        for (Reported one : reported) {
            assertTrue(one.rows() > 0 && isNoComplaint(one), () -> one.status().toString());
        }
        assertTrue(
                oldestS <= (isRequestedOneByOne(venue) ? ONE_BY_ONE_S : POLL_S),
                () -> venue + ": a row was " + oldestS + " s old");
    }

    private static boolean isRequestedOneByOne(String venue) {
        return Registry.find(venue).spec().requests().stream().anyMatch(r -> r.keys() != null);
    }

    /**
     * Returns whether nothing is reported, or only a multiple of the others' rates, as in simulated markets.
     */
    private static boolean isNoComplaint(Reported reported) {
        String reason = reported.status().reason();
        return reason == null || reason.matches("its rates are [\\d./]+( times)? the others' on most of \\d+ symbols");
    }

    static IntStream rotations() {
        return IntStream.range(0, Refusal.values().length);
    }

    /** Every fifth exchange is well; at the others settled rates are refused in one of four ways, from the start on. */
    @ParameterizedTest(name = "rotation {0}")
    @MethodSource("rotations")
    void readsRefusedHistoryLaterWithoutCostingRates(int rotation) throws InterruptedException {
        List<ListedVenue> venues = venues().stream()
                .filter(v -> Registry.find(v.id()).spec().history() != null)
                .toList();
        Refusal[] kinds = Refusal.values();
        try (var ingest = new VirtualIngest(venues, CONTRACTS, START)) {
            for (int i = 0; i < venues.size(); i++) {
                refuse(ingest, Registry.find(venues.get(i).id()), kinds[(i + rotation) % kinds.length]);
            }
            ingest.run(Duration.ofMinutes(9));
            var checks = new ArrayList<Executable>();
            for (int i = 0; i < venues.size(); i++) {
                String venue = venues.get(i).id();
                Refusal kind = kinds[(i + rotation) % kinds.length];
                List<Reported> meanwhile = ingest.reported(venue, 0);
                List<Reported> rates =
                        ingest.reported(venue, Duration.ofMinutes(2).toMillis());
                long oldestS = ingest.oldestRowS(venue);
                checks.add(() -> reported(venue, kind, meanwhile));
                if (!bansRatesToo(venue, kind)) {
                    checks.add(() -> unharmed(rates, oldestS, venue));
                }
            }
            venues.forEach(v -> ingest.exchanges.heal(v.id()));
            ingest.runUntil(
                    "all settled rates are read",
                    Duration.ofMinutes(75),
                    () -> venues.stream().allMatch(v -> isWhole(ingest.latest(v.id()))));
            assertAll(checks);
        }
    }

    /** Whether a refusal at one endpoint bans all others, by the exchange's own page. */
    private static boolean bansRatesToo(String venue, Refusal kind) {
        return switch (kind) {
            // Lighter's firewall shuts an address out for a minute
            case METHOD_NOT_ALLOWED -> venue.equals("lighter");
            // Bybit shuts one out for ten
            case FORBIDDEN -> venue.equals("bybit");
            default -> false;
        };
    }

    private static void refuse(VirtualIngest ingest, Venue venue, Refusal kind) {
        Predicate<SimulatedRequest> history = HistoryRequests.of(venue);
        switch (kind) {
            case NONE -> {}
            case A_THIRD_REFUSED_IN_BAND ->
                ingest.exchanges.fault(
                        venue.spec().id(), request -> history.test(request) && isOneOfThree(request), kind.fault);
            default -> ingest.exchanges.fault(venue.spec().id(), history, kind.fault);
        }
    }

    /** By what the request names, without the instants in it. */
    private static boolean isOneOfThree(SimulatedRequest request) {
        String named = (request.path()
                        + request.query().values().stream().sorted().toList()
                        + request.body())
                .replaceAll("\\d{10,}|\\d{4}-\\d\\d-[\\dT:.Z-]+", "");
        return Math.floorMod(named.hashCode(), 3) == 0;
    }

    private static void reported(String venue, Refusal kind, List<Reported> reported) {
        List<String> problems = reported.stream()
                .map(t -> t.status().historyProblem())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        System.out.printf("%-12s history %-24s %s%n", venue, kind, problems);
        if (kind == Refusal.NONE) {
            assertEquals(List.of(), problems, venue);
        } else {
            assertTrue(problems.stream().anyMatch(p -> p.matches(kind.problem)), () -> venue + ' ' + kind + problems);
        }
    }

    private static boolean isWhole(Reported reported) {
        Long total = reported.status().historyTotal();
        return total != null
                && total > 0
                && total.equals(reported.status().historyDone())
                && reported.status().historyProblem() == null;
    }
}
