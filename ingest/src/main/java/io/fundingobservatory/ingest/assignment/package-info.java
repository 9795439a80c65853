/**
 * Assigns venues to ingest processes. In: the partitions of {@code venues.assignment} that a consumer group
 * assigns. Out: the venues that this process starts and stops polling.
 */
@NullMarked
package io.fundingobservatory.ingest.assignment;

import org.jspecify.annotations.NullMarked;
