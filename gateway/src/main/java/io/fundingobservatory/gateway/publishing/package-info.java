/**
 * Publishes snapshots at the snapshot interval. In: Kafka topics as tables in memory, and how far streams has come. Out: one immutable {@link
 * io.fundingobservatory.gateway.core.snapshot.Snapshot} per interval, the first one when it is complete.
 */
@NullMarked
package io.fundingobservatory.gateway.publishing;

import org.jspecify.annotations.NullMarked;
