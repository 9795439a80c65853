/**
 * What the person, or the program, that started {@code observatory run} sees of the start. In: steps, and the statuses of exchanges as
 * they stand on {@code venues.status}. Out: a block of lines on a terminal that settles into a summary, or JSON lines.
 */
@NullMarked
package io.fundingobservatory.standalone.progress;

import org.jspecify.annotations.NullMarked;
