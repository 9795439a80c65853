/**
 * The faults of the catalogue, what they are played on, and the suite that plays them and prints what came of them.
 */
@NullMarked
package io.fundingobservatory.faults.scenarios;

import org.jspecify.annotations.NullMarked;
