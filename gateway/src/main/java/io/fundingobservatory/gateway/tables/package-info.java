/**
 * Follows the topics. In: records of {@code rates.latest}, {@code venues.status}, {@code venues.quality} and {@code carry.pairs}. Out: the
 * tables as they are now, to be read, and what of them has changed.
 */
@NullMarked
package io.fundingobservatory.gateway.tables;

import org.jspecify.annotations.NullMarked;
