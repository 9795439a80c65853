/**
 * Made-up contracts and a steady flow of quotes of them go in; what is committed is watched as it comes out.
 */
@NullMarked
package io.fundingobservatory.faults.load;

import org.jspecify.annotations.NullMarked;
