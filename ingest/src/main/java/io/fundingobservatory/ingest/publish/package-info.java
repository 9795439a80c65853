/**
 * Kafka. In: quotes, settlements, statuses and backfill progress. Out: records on {@code quotes.raw},
 * {@code settlements.raw}, {@code venues.status} and {@code ingest.progress}, and at a start what the compacted ones hold.
 */
@NullMarked
package io.fundingobservatory.ingest.publish;

import org.jspecify.annotations.NullMarked;
