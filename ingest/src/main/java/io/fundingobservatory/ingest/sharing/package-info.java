/**
 * How several ingest processes share the venues. In: the assignment of partitions of {@code venues.assignment} by a consumer group. Out:
 * venues that this process begins and stops to poll.
 */
@NullMarked
package io.fundingobservatory.ingest.sharing;

import org.jspecify.annotations.NullMarked;
