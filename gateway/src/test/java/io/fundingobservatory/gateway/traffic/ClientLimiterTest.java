package io.fundingobservatory.gateway.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientLimiterTest {
    private static final long S = 1_000_000;
    private static final Address CLIENT = Address.parse("203.0.113.7").orElseThrow();

    private static final RequestCost LIST = new RequestCost(6, Set.of());
    private static final RequestCost UNCHANGED = new RequestCost(1, Set.of());

    private final ClientLimiter limiter = new ClientLimiter(Limits.STANDARD, List.of(), 42);
    private long nowUs = 1_000 * S;

    private static RequestCost naming(String... names) {
        return new RequestCost(1, Set.of(names));
    }

    private static RequestCost naming(int from, int count) {
        var names = new HashSet<String>();
        for (int i = from; i < from + count; i++) {
            names.add("symbols:S" + i);
        }
        return new RequestCost(1, names);
    }

    private boolean admitted(RequestCost request) {
        return admitted(CLIENT, request);
    }

    private boolean admitted(Address client, RequestCost request) {
        return limiter.admit(client, request, nowUs) instanceof Verdict.Admitted;
    }

    private Verdict.Refused refused(RequestCost request) {
        return assertInstanceOf(Verdict.Refused.class, limiter.admit(CLIENT, request, nowUs));
    }

    @Test
    void permitsSixtyPointsThenTwoPerSecond() {
        for (int i = 0; i < 10; i++) {
            assertTrue(admitted(LIST), "list " + i);
        }
        assertEquals(new Verdict.Refused(Verdict.Cause.VOLUME, 3), refused(LIST));
        assertEquals(new Verdict.Refused(Verdict.Cause.VOLUME, 1), refused(UNCHANGED));
        nowUs += 3 * S;
        assertTrue(admitted(LIST));
        assertEquals(Verdict.Cause.VOLUME, refused(UNCHANGED).cause());
    }

    /** Settings allow a burst of 6, and the dearest request costs 30. */
    @Test
    void requestBeyondBurstTakesWholeBurst() {
        for (int burst = 6; burst <= 60; burst++) {
            var small = new ClientLimiter(
                    new Limits(120, burst, 600, 40, 70, 120, 300, 50, 60, 600, 16L << 20), List.of(), 42);
            var dearest = new RequestCost(30, Set.of());
            assertInstanceOf(Verdict.Admitted.class, small.admit(CLIENT, dearest, nowUs), "burst " + burst);
            if (burst <= 30) {
                assertEquals(
                        new Verdict.Refused(Verdict.Cause.VOLUME, Math.ceilDiv(burst, 2)),
                        small.admit(CLIENT, dearest, nowUs));
            }
        }
    }

    /** Files of the page: 29 people behind one address look at it for the first time, but nobody floods it. */
    @Test
    void fractionsOfPointsAddUp() {
        var part = new RequestCost(0.05, Set.of());
        for (int i = 0; i < 1_200; i++) {
            assertTrue(admitted(part), "file " + i);
        }
        assertEquals(new Verdict.Refused(Verdict.Cause.VOLUME, 1), refused(part));
        nowUs += S;
        for (int i = 0; i < 40; i++) {
            assertTrue(admitted(part), "file " + i);
        }
        assertEquals(Verdict.Cause.VOLUME, refused(part).cause());
    }

    @Test
    void neverRefusesWholeSnapshotOncePerMinute() {
        for (int i = 0; i < 1_440; i++, nowUs += 60 * S) {
            assertTrue(admitted(LIST), "minute " + i);
        }
    }

    @Test
    void threeSymbolsAThousandTimesAreNeverRefused() {
        for (int i = 0; i < 1_000; i++, nowUs += S) {
            assertTrue(admitted(naming("symbols:S" + i % 3)), "look " + i);
        }
    }

    @Test
    void fortyNamesOnceAreSweepWithGrowingRefusal() {
        // An hour's window, so that the sweep is still one whenever a wait is over.
        var hour =
                new ClientLimiter(new Limits(120, 60, 3_600, 40, 70, 120, 300, 50, 60, 600, 48L << 20), List.of(), 42);
        for (int i = 0; i < 39; i++, nowUs += S) {
            assertInstanceOf(Verdict.Admitted.class, hour.admit(CLIENT, naming(i, 1), nowUs), "look " + i);
        }
        for (int wait : new int[] {60, 120, 240, 480, 600, 600}) {
            assertEquals(new Verdict.Refused(Verdict.Cause.SWEEP, wait), hour.admit(CLIENT, naming(39, 1), nowUs));
            nowUs += S;
            assertEquals(new Verdict.Refused(Verdict.Cause.SWEEP, wait - 1), hour.admit(CLIENT, naming(40, 1), nowUs));
            assertInstanceOf(
                    Verdict.Admitted.class, hour.admit(CLIENT, LIST, nowUs), "the whole list is never a sweep");
            nowUs += (wait - 1) * S;
        }
        assertInstanceOf(
                Verdict.Admitted.class, hour.admit(CLIENT, naming(3, 1), nowUs), "what it knows it may look at again");
    }

    @Test
    void waitingClientMayAddOneNamePerMinute() {
        for (int i = 0; i < 39; i++, nowUs += S) {
            assertTrue(admitted(naming(i, 1)));
        }
        int wait = refused(naming(39, 1)).retryAfterS();
        assertEquals(60, wait);
        assertTrue(admitted(LIST), "the whole list is admitted meanwhile");
        assertTrue(admitted(naming(5, 1)), "and so are known names");
        for (int i = 39; i < 99; i++) {
            nowUs += wait * S;
            assertTrue(admitted(naming(i, 1)), "new name " + i);
        }
    }

    @Test
    void repeatedSweepAfterWaitIsNotRefusedLonger() {
        for (int i = 0; i < 39; i++, nowUs += S) {
            assertTrue(admitted(naming(i, 1)));
        }
        assertEquals(60, refused(naming(39, 1)).retryAfterS());
        nowUs += 60 * S;
        assertTrue(admitted(naming(39, 1)));
        nowUs += S;
        assertEquals(60, refused(naming(40, 1)).retryAfterS(), "too soon, but the wait was served");
        nowUs += S;
        assertEquals(59, refused(naming(40, 1)).retryAfterS(), "requests go on");
        nowUs += 59 * S;
        assertEquals(120, refused(naming(40, 1)).retryAfterS(), "and so longer");
    }

    @Test
    void afterTenMinutesItStartsAnew() {
        for (int i = 0; i < 39; i++) {
            assertTrue(admitted(naming(i, 1)));
        }
        assertEquals(60, refused(naming(39, 1)).retryAfterS());
        nowUs += 600 * S;
        assertTrue(admitted(naming(39, 1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"50 1", "39 1", "25 25", "45 1", "50 50", "1 50 1", "2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2"})
    void listsOfNamesAreNoSweep(String counts) {
        int named = 0;
        for (String count : counts.split(" ")) {
            assertTrue(admitted(naming(named, Integer.parseInt(count))), count + " names after " + named);
            named += Integer.parseInt(count);
            nowUs += S;
        }
    }

    @Test
    void namesOfListsCountTowardsNoSweep() {
        assertTrue(admitted(naming(100, 50)));
        for (int i = 0; i < 39; i++, nowUs += S) {
            assertTrue(admitted(naming(i, 1)), "look " + i);
        }
        assertEquals(Verdict.Cause.SWEEP, refused(naming(39, 1)).cause(), "the fortieth in a request of its own");
    }

    @Test
    void servesSeveralNamesPerRequestAfterSweep() {
        for (int i = 0; i < 39; i++, nowUs += S) {
            assertTrue(admitted(naming(i, 1)));
        }
        refused(naming(39, 1));
        assertTrue(admitted(naming(40, 3)));
        assertTrue(admitted(naming(43, 50)));
    }

    @Test
    void boundsNamesOfListsWithExactWait() {
        assertTrue(admitted(naming(0, 50)));
        nowUs += 100 * S;
        assertTrue(admitted(naming(50, 50)));
        nowUs += 100 * S;
        assertTrue(admitted(naming(100, 20)));
        assertEquals(new Verdict.Refused(Verdict.Cause.NAMES, 400), refused(naming(120, 20)));
        assertTrue(admitted(naming(0, 40)), "known names");
        assertEquals(
                new Verdict.Refused(Verdict.Cause.NAMES, 400), refused(naming(120, 1)), "ten have not been seen since");
        nowUs += 399 * S;
        assertEquals(1, refused(naming(120, 10)).retryAfterS());
        nowUs += S;
        assertTrue(admitted(naming(120, 10)));
    }

    @Test
    void repeatingSomeNamesDoesNotHideSweep() {
        int seen = 0;
        int requests = 0;
        while (requests++ < 400) {
            nowUs += S;
            // Everything is looked at twice, so nothing is looked at once.
            if (!admitted(naming(seen, 1)) || !admitted(naming(seen, 1))) {
                break;
            }
            seen++;
        }
        assertEquals(Limits.STANDARD.windowNames(), seen);
    }

    @Test
    void threeHundredAnHourWhateverTheShare() {
        int seen = 0;
        for (int s = 0; s < 3_500; s += 10, nowUs += 10 * S) {
            if (admitted(naming(seen, 1)) && admitted(naming(seen, 1))) {
                seen++;
            }
        }
        assertEquals(300, seen);
    }

    @Test
    void ipv6ClientIsNetworkWithinLimitedNetworks() {
        int admitted = 0;
        for (int i = 0; i < 1_000; i++) {
            admitted += admitted(new Address(6, 0x20010db8_00000000L, i), LIST) ? 1 : 0;
        }
        assertEquals(10, admitted, "one /64");
        for (int i = 0; i < 256; i++) {
            for (int j = 0; j < 11; j++) {
                admitted += admitted(new Address(6, 0x20010db8_00010000L + i, j), LIST) ? 1 : 0;
            }
        }
        assertEquals(10 + 40, admitted, "one /56");
        for (int i = 0; i < 65_536; i++) {
            admitted += admitted(new Address(6, 0x20010db8_00020000L + i, 1), LIST) ? 1 : 0;
        }
        assertEquals(10 + 40 + 160, admitted, "one /48");
    }

    @Test
    void theOperatorsOwnAreExempt() {
        var own = new ClientLimiter(Limits.STANDARD, Network.list("203.0.113.0/24"), 1);
        for (int i = 0; i < 1_000; i++) {
            assertInstanceOf(Verdict.Admitted.class, own.admit(CLIENT, naming(i, 1), nowUs));
        }
    }

    @Test
    void knowsReturningClientDuringFlood() {
        for (int i = 0; i < 39; i++) {
            assertTrue(admitted(naming(i, 1)));
        }
        refused(naming(39, 1));
        var random = new Random(3);
        for (int i = 0; i < 1_000_000; i++) {
            nowUs += 20;
            admitted(new Address(6, random.nextLong(), 0), naming(i, 2));
            if (i % 1_000 == 0) {
                assertEquals(Verdict.Cause.SWEEP, refused(naming(40, 1)).cause(), "after " + i);
            }
        }
    }
}
