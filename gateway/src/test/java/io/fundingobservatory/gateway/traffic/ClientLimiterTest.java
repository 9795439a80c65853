package io.fundingobservatory.gateway.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.traffic.ClientLimiter.Limits;
import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientLimiterTest {
    private static final long S = 1_000_000;
    private static final Address CLIENT = Address.parse("203.0.113.7").orElseThrow();

    /** What a request costs, and the names in it. */
    private record RequestCost(int points, Set<String> names) {}

    private static @Nullable Refusal admit(ClientLimiter limiter, Address client, RequestCost request, long nowUs) {
        Refusal refusal = limiter.admit(client, request.points(), nowUs);
        return refusal == null && !request.names().isEmpty()
                ? limiter.admitNames(client, request.names(), nowUs)
                : refusal;
    }

    private static final RequestCost LIST = new RequestCost(6, Set.of());
    private static final RequestCost UNCHANGED = new RequestCost(1, Set.of());

    private final ClientLimiter limiter = new ClientLimiter(StandardLimits.STANDARD, List.of(), 42);
    private long nowUs = 1_000 * S;

    private static RequestCost naming(String... names) {
        return new RequestCost(1, Set.of(names));
    }

    private static RequestCost naming(int from, int count) {
        var names = new HashSet<String>();
        for (int i = from; i < from + count; i++) {
            names.add("symbols=S" + i);
        }
        return new RequestCost(1, names);
    }

    private boolean admitted(RequestCost request) {
        return admitted(CLIENT, request);
    }

    private boolean admitted(Address client, RequestCost request) {
        return admit(limiter, client, request, nowUs) == null;
    }

    private Refusal refused(RequestCost request) {
        return assertInstanceOf(Refusal.class, admit(limiter, CLIENT, request, nowUs));
    }

    @Test
    void permitsBurstThenTwoPointsPerSecond() {
        for (int i = 0; i < 20; i++) {
            assertTrue(admitted(LIST), "list " + i);
        }
        assertEquals(new Refusal(Refusal.Cause.VOLUME, 3, List.of()), refused(LIST));
        assertEquals(new Refusal(Refusal.Cause.VOLUME, 1, List.of()), refused(UNCHANGED));
        nowUs += 3 * S;
        assertTrue(admitted(LIST));
        assertEquals(Refusal.Cause.VOLUME, refused(UNCHANGED).cause());
    }

    /** Settings allow a burst of 6, and the dearest request costs 30. */
    @Test
    void requestBeyondBurstTakesWholeBurst() {
        for (int burst = 6; burst <= 60; burst++) {
            var small = new ClientLimiter(new Limits(120, burst, 600, 40, 70, 120, 300, 50, 16L << 20), List.of(), 42);
            var dearest = new RequestCost(30, Set.of());
            assertNull(admit(small, CLIENT, dearest, nowUs), "burst " + burst);
            if (burst <= 30) {
                assertEquals(
                        new Refusal(Refusal.Cause.VOLUME, Math.ceilDiv(burst, 2), List.of()),
                        admit(small, CLIENT, dearest, nowUs));
            }
        }
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
            assertTrue(admitted(naming("symbols=S" + i % 3)), "look " + i);
        }
    }

    private void lookAt(int from, int to) {
        for (int i = from; i < to; i++, nowUs += S) {
            assertTrue(admitted(naming(i, 1)), "name " + i);
        }
    }

    /** The time is the one at which the first name leaves the window; requests meanwhile change nothing of it. */
    @Test
    void sweepStatesWhenNextNameIsAdmitted() {
        lookAt(0, 39);
        assertEquals(561, refused(naming(39, 1)).retryAfterS());
        assertTrue(admitted(LIST), "the whole list is admitted meanwhile");
        assertTrue(admitted(naming(5, 1)), "and so are known names");
        for (int s = 0; s < 560; s += 10, nowUs += 10 * S) {
            assertEquals(561 - s, refused(naming(40 + s, 1)).retryAfterS(), "nothing doubles");
        }
        nowUs += S;
        assertTrue(admitted(naming(39, 1)), "it waited");
        assertEquals(1, refused(naming(40, 1)).retryAfterS());
    }

    @Test
    void clientThatWaitsIsAlwaysAdmitted() {
        lookAt(0, 39);
        for (int i = 39; i < 300; i++) {
            if (admit(limiter, CLIENT, naming(i, 1), nowUs) instanceof Refusal refused) {
                nowUs += refused.retryAfterS() * S;
                assertTrue(admitted(naming(i, 1)), "name " + i + " after " + refused.retryAfterS() + " s");
            }
        }
    }

    @Test
    void repeatedLooksEndASweep() {
        lookAt(0, 39);
        refused(naming(39, 1));
        for (int i = 0; i < 13; i++) {
            assertTrue(admitted(naming(i, 1)), "a second look");
        }
        assertTrue(admitted(naming(39, 1)), "less than 70 % were looked at once");
    }

    @Test
    void refusalNamesWhatWasLookedAtLatestFirst() {
        lookAt(0, 39);
        List<String> recent = refused(naming(39, 1)).recent();
        assertEquals(39, recent.size());
        assertEquals(List.of("symbols=S38", "symbols=S37"), recent.subList(0, 2));
        for (int i = 0; i < 20; i++) {
            admitted(LIST);
        }
        assertEquals(recent, refused(LIST).recent(), "also where points are missing");
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
        assertEquals(Refusal.Cause.SWEEP, refused(naming(39, 1)).cause(), "the fortieth in a request of its own");
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
        assertEquals(400, refused(naming(120, 20)).retryAfterS());
        assertTrue(admitted(naming(0, 40)), "known names");
        assertEquals(Refusal.Cause.NAMES, refused(naming(120, 1)).cause());
        assertEquals(400, refused(naming(120, 1)).retryAfterS(), "ten have not been seen since");
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
        assertEquals(StandardLimits.STANDARD.windowNames(), seen);
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
        assertEquals(20, admitted, "one /64");
        for (int i = 0; i < 256; i++) {
            for (int j = 0; j < 21; j++) {
                admitted += admitted(new Address(6, 0x20010db8_00010000L + i, j), LIST) ? 1 : 0;
            }
        }
        assertEquals(20 + 80, admitted, "one /56");
        for (int i = 0; i < 65_536; i++) {
            admitted += admitted(new Address(6, 0x20010db8_00020000L + i, 1), LIST) ? 1 : 0;
        }
        assertEquals(20 + 80 + 320, admitted, "one /48");
    }

    @Test
    void theOperatorsOwnAreExempt() {
        var own = new ClientLimiter(StandardLimits.STANDARD, Address.ranges("203.0.113.0/24"), 1);
        for (int i = 0; i < 1_000; i++) {
            assertNull(admit(own, CLIENT, naming(i, 1), nowUs));
        }
    }

    @Test
    void knowsReturningClientDuringFlood() {
        for (int i = 0; i < 39; i++) {
            assertTrue(admitted(naming(i, 1)));
        }
        refused(naming(39, 1));
        var random = new Random(3);
        for (int i = 0; i < 200_000; i++) { // each of three networks: more than twice the table
            nowUs += 20;
            admitted(new Address(6, random.nextLong(), 0), naming(i, 2));
            if (i % 1_000 == 0) {
                Refusal refusal = limiter.admitNames(CLIENT, naming(40, 1).names(), nowUs);
                assertEquals(
                        Refusal.Cause.SWEEP,
                        assertInstanceOf(Refusal.class, refusal).cause(),
                        "after " + i);
            }
        }
    }

    /**
     * Random networks, three times as many as the table has places; the whole of the published bound with {@code
     * -Dobservatory.traffic.networks=10000000}.
     */
    @Test
    void aFloodOfClientsStaysWithinItsMemory() {
        var random = new Random(7);
        long before = usedBytes();
        for (int i = 0; i < Integer.getInteger("observatory.traffic.networks", 100_000); i++) {
            nowUs += 10;
            var client = new Address(6, random.nextLong(), 0);
            limiter.admit(client, 1, nowUs);
            if (i % 8 == 0) {
                limiter.admitNames(client, naming(i % 30_000, 3).names(), nowUs);
            }
        }
        long used = usedBytes() - before;
        assertTrue(limiter.knownClients() > 10_000, limiter.knownClients() + " clients are known");
        assertTrue(used <= 64 << 20, used + " bytes");
    }

    /** What is counted of them would take 38 MB, of 1 MB that is given to it. */
    @Test
    void clientsThatAreRefusedAtOnceAreForgotten() {
        var small = new ClientLimiter(new Limits(120, 120, 600, 40, 70, 120, 300, 50, 1 << 20), List.of(), 42);
        Set<String> tooMany = naming(0, 121).names();
        for (int i = 0; i < 200_000; i++) {
            assertInstanceOf(Refusal.class, small.admitNames(new Address(4, 0, i), tooMany, nowUs));
        }
        assertTrue(small.knownClients() < 10_000, small.knownClients() + " clients are known");
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
