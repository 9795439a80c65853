/**
 * Progress of {@code observatory run}. In: steps of the start, and the statuses on {@code venues.status}.
 * Out: a block of lines on a terminal that ends in a summary, or JSON lines.
 */
@NullMarked
package io.fundingobservatory.standalone.progress;

import org.jspecify.annotations.NullMarked;
