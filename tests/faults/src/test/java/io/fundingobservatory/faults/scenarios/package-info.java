/**
 * What a fault is, and what it is played on: brokers, services, load and watchers as one {@code Installation}. In: a seed and how many
 * brokers. Out: evidence that the fault fired, times of recovery, and what the invariants say.
 */
@NullMarked
package io.fundingobservatory.faults.scenarios;

import org.jspecify.annotations.NullMarked;
