/**
 * Kafka. In: quotes, settlements, statuses and history progress. Out: records on {@code quotes.raw}, {@code settlements.raw},
 * {@code venues.status} and {@code ingest.progress}, and at a start what the compacted ones hold.
 */
@NullMarked
package io.fundingobservatory.ingest.publishing;

import org.jspecify.annotations.NullMarked;
