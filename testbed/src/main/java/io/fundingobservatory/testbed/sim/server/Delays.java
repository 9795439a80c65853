package io.fundingobservatory.testbed.sim.server;

import io.fundingobservatory.testbed.sim.Noise;
import io.fundingobservatory.testbed.sim.SimulatedRequest;

/**
 * Response times of a venue. Each has a distance of 50 to 400 ms, from which single responses deviate; one in
 * 200 takes seconds. Measured: Crypto.com 125 to 146 ms, Gemini's fundingamount 0.4 to 3.8 s.
 */
final class Delays {
    private static final int NEAREST_MS = 50;
    private static final int FARTHEST_MS = 400;
    private static final int SLOW_PER_MILLE = 5;

    private Delays() {}

    /** Of the n-th request to an exchange. */
    static long ofMs(String venue, SimulatedRequest request, long n) {
        long key = Noise.mix(Noise.mix(41, venue), n);
        if (request.path().startsWith("/v1/fundingamount/")) {
            return 400L + Noise.pick(key, 3_400);
        }
        if (venue.equals("cryptocom")) {
            return slow(key, 125L + Noise.pick(key, 22));
        }
        long distance = (long) NEAREST_MS + Noise.pick(Noise.mix(43, venue), FARTHEST_MS - NEAREST_MS);
        long each = distance * (80 + Noise.pick(key, 60)) / 100;
        return slow(key, each);
    }

    private static long slow(long key, long usualMs) {
        return Noise.among(key + 1, SLOW_PER_MILLE) ? usualMs + 1_000L + Noise.pick(key + 2, 2_000) : usualMs;
    }
}
