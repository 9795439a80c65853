package io.fundingobservatory.gateway.traffic;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Floods the table of clients in a process of its own, and prints the heap that it takes. {@code
 * refused-at-first-sight <bytes>} is for 200,000 clients that are refused with their first request, where the
 * table has a megabyte. {@code random-networks <bytes> <knownClients>} is for as many random /64 networks as
 * the argument names, with the shipped limits.
 */
final class ClientTableMemory {
    private static final int REFUSED = 200_000;
    private static final int NAMES = 10_000;

    private ClientTableMemory() {}

    public static void main(String[] args) {
        refusedAtFirstSight();
        randomNetworks(Integer.parseInt(args[0]));
    }

    private static void refusedAtFirstSight() {
        var small = new ClientLimiter(new Limits(120, 120, 600, 40, 70, 120, 300, 50, 1 << 20), List.of(), 42);
        var tooMany = names(0, 121);
        long before = used();
        for (int i = 0; i < REFUSED; i++) {
            if (!(small.admitNames(new Address(4, 0, i), tooMany, 1_000_000_000) instanceof Verdict.Refused)) {
                throw new IllegalStateException("admitted");
            }
        }
        System.out.println("refused-at-first-sight " + (used() - before));
        small.knownClients();
    }

    private static void randomNetworks(int count) {
        var limiter = new ClientLimiter(StandardLimits.STANDARD, List.of(), 42);
        var random = new Random(7);
        List<Set<String>> naming =
                IntStream.range(0, NAMES).mapToObj(i -> names(i * 3, 3)).toList();
        long before = used();
        long nowUs = 1_000_000_000;
        for (int i = 0; i < count; i++) {
            nowUs += 10;
            var client = new Address(6, random.nextLong(), 0);
            limiter.admit(client, 1, nowUs);
            if (i % 8 == 0) {
                limiter.admitNames(client, naming.get(i / 8 % NAMES), nowUs);
            }
        }
        System.out.println("random-networks " + (used() - before) + ' ' + limiter.knownClients());
    }

    private static Set<String> names(int from, int count) {
        var names = new String[count];
        Arrays.setAll(names, i -> "symbols=S" + (from + i));
        return Set.of(names);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
