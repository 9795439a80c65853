/**
 * Publishes the list on the beat. In: what changed in the tables. Out: one immutable
 * {@link io.fundingobservatory.gateway.core.snapshot.Snapshot} on each beat, the first one when it is complete.
 */
@NullMarked
package io.fundingobservatory.gateway.publishing;

import org.jspecify.annotations.NullMarked;
