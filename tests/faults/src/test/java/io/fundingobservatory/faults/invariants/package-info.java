/**
 * What must hold through a run; each one is fed with what was seen and says what broke it.
 */
@NullMarked
package io.fundingobservatory.faults.invariants;

import org.jspecify.annotations.NullMarked;
