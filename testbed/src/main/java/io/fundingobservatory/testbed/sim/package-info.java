/** The exchanges, simulated: one seeded market model, spoken in each exchange's own wire format, with faults on demand. */
@NullMarked
package io.fundingobservatory.testbed.sim;

import org.jspecify.annotations.NullMarked;
