/**
 * The simulated exchanges as their clients meet them, over HTTP or asked directly: limits, delays and new listings as strict as
 * {@code Realism} says, and a {@code Fault} where one is set. In: a request and an instant. Out: status, headers and body, after a while.
 */
@NullMarked
package io.fundingobservatory.testbed.sim.server;

import org.jspecify.annotations.NullMarked;
