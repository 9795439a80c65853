package io.fundingobservatory.ingest.poll.guards;

import java.util.Map;

/**
 * The rates of one poll.
 *
 * @param rates fractions per 8 hours, by asset
 * @param atMs when they were read, epoch ms UTC
 */
record RateSheet(Map<String, Double> rates, long atMs) {
    boolean isWithin(long ms, long nowMs) {
        return Math.abs(nowMs - atMs) <= ms;
    }
}
