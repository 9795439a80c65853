/** In: made-up contracts and a steady flow of their quotes. Out: the committed records. */
@NullMarked
package io.fundingobservatory.faults.load;

import org.jspecify.annotations.NullMarked;
