/**
 * Follows the topics and publishes snapshots. In: records of {@code rates.latest}, {@code venues.status}, {@code venues.quality} and
 * {@code carry.pairs}. Out: one immutable {@link io.fundingobservatory.gateway.core.snapshot.Snapshot} on each beat.
 */
@NullMarked
package io.fundingobservatory.gateway.tables;

import org.jspecify.annotations.NullMarked;
