/**
 * One seeded market model, and the form that every exchange's {@code Wire} has. In: a seed, what each exchange can list ({@code Traits}),
 * an instant. Out: what it lists then, exact, for the wire to write in its own format. Nothing here depends on limits, faults or HTTP.
 */
@NullMarked
package io.fundingobservatory.testbed.sim;

import org.jspecify.annotations.NullMarked;
