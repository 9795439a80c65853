/**
 * What leaves ingest. In: quotes, settlements, statuses and backfill progress. Out: records on {@code quotes.raw},
 * {@code settlements.raw}, {@code venues.status} and {@code ingest.progress}, and events for metrics and logs.
 */
@NullMarked
package io.fundingobservatory.ingest.publish;

import org.jspecify.annotations.NullMarked;
