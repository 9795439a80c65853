package io.fundingobservatory.testbed.sim;

/** Chance without state: the same key and instant always give the same value. Integers only, so that values stay exact. */
public final class Noise {
    private Noise() {}

    /** A well-mixed number from two. */
    public static long mix(long a, long b) {
        long z = a * 0x9E3779B97F4A7C15L + b + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A well-mixed number from a number and a word. */
    public static long mix(long a, String word) {
        long z = a;
        for (int i = 0; i < word.length(); i++) {
            z = mix(z, word.charAt(i));
        }
        return z;
    }

    /** One of {@code 0 … count-1}. */
    public static int pick(long key, int count) {
        return (int) Long.remainderUnsigned(mix(key, 17), count);
    }

    /** Whether this key is among so many of a thousand. */
    public static boolean among(long key, int perMille) {
        return pick(mix(key, 23), 1_000) < perMille;
    }

    /** A walk through time: a new target each period, in a straight line from one to the next; within {@code ±amplitude}. */
    static long walk(long key, long atMs, long periodMs, long amplitude) {
        long period = Math.floorDiv(atMs, periodMs);
        long into = Math.floorMod(atMs, periodMs);
        long from = target(key, period, amplitude);
        long to = target(key, period + 1, amplitude);
        return from + Math.floorDiv((to - from) * into, periodMs);
    }

    private static long target(long key, long period, long amplitude) {
        return Math.floorMod(mix(key, period), 2 * amplitude + 1) - amplitude;
    }
}
