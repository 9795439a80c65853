/**
 * The exchanges, simulated: a request and an instant enter, the answer of that exchange leaves, out of one seeded market model in its
 * own wire format. They are lenient or strict ({@code Realism}); faults can be set on demand.
 */
@NullMarked
package io.fundingobservatory.testbed.sim;

import org.jspecify.annotations.NullMarked;
