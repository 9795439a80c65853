package io.fundingobservatory.testbed.sim;

import java.util.List;

/**
 * Everything that one simulated exchange lists at one instant.
 *
 * @param nowMs the instant, epoch ms
 * @param listings in the exchange's order
 */
public record Moment(long nowMs, List<Listing> listings) {}
