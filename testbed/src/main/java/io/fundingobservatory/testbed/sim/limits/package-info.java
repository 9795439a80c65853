/** The exchanges' published limits as a table, and a meter of what a client draws on them: requests go in, refusals and usage come out. */
@NullMarked
package io.fundingobservatory.testbed.sim.limits;

import org.jspecify.annotations.NullMarked;
