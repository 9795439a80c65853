/**
 * Faults, injected into the services as they are shipped. The module needs the jars of all three services and
 * ships nothing. {@link io.fundingobservatory.faults.FaultSuite} plays all faults, {@code FaultsIT} a part of
 * them in the gate. In: fault numbers and a seed. Out: for each fault how often it fired, the worst recovery
 * and the violations.
 */
@NullMarked
package io.fundingobservatory.faults;

import org.jspecify.annotations.NullMarked;
