package io.fundingobservatory.gateway.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.traffic.ClientLimiter.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Simulated traffic of two hours, and of a day in the nightly run ({@code -Dobservatory.traffic.hours=24}). Well-behaved clients
 * are never refused. Evasive ones get no more than a hundredth of the table in ten minutes by naming symbols.
 */
class ClientProfilesTest {
    private static final long S = 1_000_000;
    private static final long HOUR_US = 3_600 * S;
    private static final int HOURS = Integer.getInteger("observatory.traffic.hours", 2);
    private static final int TABLE = 14_400;
    /** What a request costs, and the names in it. */
    private record RequestCost(int points, Set<String> names) {}

    private static @Nullable Refusal admit(ClientLimiter limiter, Address client, RequestCost request, long nowUs) {
        Refusal refusal = limiter.admit(client, request.points(), nowUs);
        return refusal == null && !request.names().isEmpty()
                ? limiter.admitNames(client, request.names(), nowUs)
                : refusal;
    }

    private static final RequestCost LIST = new RequestCost(6, Set.of());
    private static final RequestCost ONE = new RequestCost(1, Set.of());
    private static final RequestCost CARRY = new RequestCost(3, Set.of());

    private final ClientLimiter limiter = new ClientLimiter(StandardLimits.STANDARD, List.of(), 4711);

    private static RequestCost symbols(int... numbers) {
        var names = new HashSet<String>();
        for (int number : numbers) {
            names.add("symbols:S" + Math.floorMod(number, TABLE));
        }
        return new RequestCost(1, names);
    }

    private static int[] range(int from, int count) {
        return IntStream.range(from, from + count).toArray();
    }

    /** The next request of a client, and after how long. */
    private record Step(RequestCost request, long waitUs) {}

    private interface Profile {
        Step next(int step, Random random);
    }

    private static Step every(double seconds, Random random, RequestCost request) {
        return new Step(request, (long) (seconds * S * (0.9 + 0.2 * random.nextDouble())));
    }

    /** Ten ways to use the service as meant, in ten sizes each. */
    private static List<Profile> honest() {
        var profiles = new ArrayList<Profile>();
        for (int size = 1; size <= 10; size++) {
            int n = size;
            profiles.add((i, r) -> every(60.0 / n + 3.4, r, LIST));
            profiles.add((i, r) -> every(10, r, i % 6 == 0 ? LIST : ONE));
            profiles.add((i, r) -> every(60.0 / (2 * n), r, symbols(i % n)));
            profiles.add((i, r) -> every(30, r, symbols(range(100 * n, 5 * n))));
            profiles.add((i, r) -> every(20.0 * n, r, CARRY));
            profiles.add((i, r) -> every(15 + n, r, i % 4 == 0 ? CARRY : i % 4 == 1 ? LIST : ONE));
            // An agent's session: index, skill, list, a few questions of its own, then nothing for a while.
            profiles.add((i, r) -> i % 12 == 11
                    ? every(600.0 + 60 * n, r, ONE)
                    : every(2, r, i % 12 < 2 ? ONE : i % 12 == 2 ? LIST : symbols(r.nextInt(TABLE))));
            // A person who browses: mostly known names, now and then a new one.
            profiles.add((i, r) -> every(20, r, symbols(r.nextInt(100) < 85 ? r.nextInt(5) : 1_000 + i / (2 + n))));
            // A page of widgets, one call each for the same few symbols.
            profiles.add((i, r) -> every(i % (2 * n) == 0 ? 30 : 0.2, r, symbols(2_000 + i % (2 * n))));
            // Several people behind one address, each with a list and a few symbols of their own.
            profiles.add((i, r) -> every(60.0 / (n + 2), r, i % 3 == 0 ? LIST : symbols(3_000 + (i % (n + 2)))));
        }
        return profiles;
    }

    /** Thirty ways to read the table name by name without its looking like that. */
    private static List<Profile> evasive() {
        var profiles = new ArrayList<Profile>();
        for (double pause : new double[] {0.5, 1, 5, 15.1, 30, 60}) {
            profiles.add((i, r) -> every(pause, r, symbols(i)));
        }
        // Every name twice, or every second one, to keep the share of those looked at once low.
        for (int share : new int[] {10, 20, 31, 40, 50, 100}) {
            profiles.add((i, r) -> every(0.6, r, symbols(i % 100 < share ? i - 1 : i)));
            profiles.add((i, r) ->
                    every(6, r, symbols(r.nextInt(100) < share ? Math.max(0, i - 1 - r.nextInt(20)) : i)));
        }
        for (int batch : new int[] {2, 10, 39, 49, 50, 51}) {
            profiles.add((i, r) -> every(2, r, symbols(range(i * batch, batch))));
        }
        // A full batch, then the same again, then the next.
        profiles.add((i, r) -> every(1, r, symbols(range(i / 2 * 50, 50))));
        profiles.add((i, r) -> every(1, r, symbols(range(i * 25, 50))));
        // Hidden among lists.
        profiles.add((i, r) -> every(4, r, i % 2 == 0 ? LIST : symbols(range(i * 20, 20))));
        // Just under the count, then a rest just under and just over the window.
        profiles.add((i, r) -> new Step(symbols(i), i % 39 == 38 ? 595 * S : S / 2));
        profiles.add((i, r) -> new Step(symbols(range(i * 50, 50)), 601 * S));
        profiles.add((i, r) -> new Step(symbols(r.nextInt(TABLE)), S / 2));
        return profiles;
    }

    private static Address client(int number) {
        return number % 2 == 0
                ? new Address(4, 0, 0x0a000000L + number)
                : new Address(6, ((long) number << 16) + 7, number);
    }

    private record Outcome(long requests, long refused, int most, int everything) {}

    private Outcome hours(Address client, Profile profile, boolean obeys, long seed) {
        var random = new Random(seed);
        var got = new ArrayDeque<long[]>();
        Map<Integer, Integer> inWindow = new HashMap<>();
        var all = new HashSet<Integer>();
        long nowUs = 24 * HOUR_US + random.nextInt(60) * S;
        long end = nowUs + HOURS * HOUR_US;
        long refused = 0;
        int most = 0;
        int step = 0;
        int requests = 0;
        while (nowUs < end) {
            Step next = profile.next(step, random);
            requests++;
            if (admit(limiter, client, next.request(), nowUs) instanceof Refusal no) {
                refused++;
                nowUs += obeys ? no.retryAfterS() * S : next.waitUs();
                // A sweeper repeats refused requests, unless that is never granted.
                step += next.request().names().size() > 50 ? 1 : 0;
            } else {
                for (String name : next.request().names()) {
                    int number = Integer.parseInt(name.substring(9));
                    got.add(new long[] {nowUs, number});
                    inWindow.merge(number, 1, Integer::sum);
                    all.add(number);
                }
                step++;
                nowUs += next.waitUs();
            }
            while (!got.isEmpty() && got.peek()[0] <= nowUs - 600 * S) {
                inWindow.computeIfPresent((int) got.poll()[1], (k, n) -> n == 1 ? null : n - 1);
            }
            most = Math.max(most, inWindow.size());
        }
        return new Outcome(requests, refused, most, all.size());
    }

    @Test
    void honestClientsAreNeverRefused() {
        List<Profile> profiles = honest();
        long requests = 0;
        var refused = new ArrayList<String>();
        for (int i = 0; i < profiles.size(); i++) {
            Outcome outcome = hours(client(i), profiles.get(i), true, i);
            requests += outcome.requests();
            if (outcome.refused() > 0) {
                refused.add(i + ": " + outcome);
            }
        }
        System.out.printf(
                "%d honest clients over %d h: %d requests, %d clients refused%n",
                profiles.size(), HOURS, requests, refused.size());
        assertEquals(100, profiles.size());
        assertEquals(List.of(), refused);
    }

    @Test
    void evasiveClientsGetNoMoreThanAHundredth() {
        List<Profile> profiles = evasive();
        assertEquals(30, profiles.size());
        long requests = 0;
        long refused = 0;
        int worst = 0;
        int worstProfile = 0;
        int most = 0;
        for (int i = 0; i < profiles.size(); i++) {
            Outcome outcome = hours(client(1_000 + i), profiles.get(i), i % 2 == 0, i);
            requests += outcome.requests();
            refused += outcome.refused();
            if (outcome.most() > worst) {
                worst = outcome.most();
                worstProfile = i;
            }
            most = Math.max(most, outcome.everything());
            assertTrue(outcome.most() * 100 <= TABLE, "profile " + i + ": " + outcome);
        }
        System.out.printf(
                "%d evasive clients over %d h: %d requests, %d refused; at most %d of %d names in 10 minutes (%.2f %%, profile %d),"
                        + " %d in all%n",
                profiles.size(), HOURS, requests, refused, worst, TABLE, 100.0 * worst / TABLE, worstProfile, most);
        assertTrue(refused > 0);
    }
}
