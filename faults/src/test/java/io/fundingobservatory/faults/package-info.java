/**
 * Faults, played on the services as they are shipped: a module of its own, since it needs the jars of all three, and only tests, since
 * nothing of it is shipped. {@link io.fundingobservatory.faults.FaultSuite} plays all, {@code FaultsIT} a part of them in the gate.
 * In: the numbers of faults and a seed. Out: of each how often it fired, the worst recovery and what was broken.
 */
@NullMarked
package io.fundingobservatory.faults;

import org.jspecify.annotations.NullMarked;
