/**
 * The simulated venues, over HTTP or called directly. {@code Realism} sets limits, delays and new listings; a
 * {@code Fault} can be set. In: a request and an instant. Out: status, headers and body, after a delay.
 */
@NullMarked
package io.fundingobservatory.testbed.sim.server;

import org.jspecify.annotations.NullMarked;
