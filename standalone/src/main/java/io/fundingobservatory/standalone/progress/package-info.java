/**
 * Progress of {@code observatory run}. In: steps of the start, and the statuses on {@code venues.status}.
 * Out: lines for people, or JSON lines for programs.
 */
@NullMarked
package io.fundingobservatory.standalone.progress;

import org.jspecify.annotations.NullMarked;
