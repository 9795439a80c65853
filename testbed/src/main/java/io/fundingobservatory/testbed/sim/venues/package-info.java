/** One exchange, one file: how it writes what the simulated market says. */
@NullMarked
package io.fundingobservatory.testbed.sim.venues;

import org.jspecify.annotations.NullMarked;
