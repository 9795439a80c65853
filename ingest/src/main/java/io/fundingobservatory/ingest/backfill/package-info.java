/**
 * Settled history: what has been read of each contract, and what is read next. In: the contracts of a poll and
 * pages of settlements. Out: settlements and progress records. No Kafka.
 */
@NullMarked
package io.fundingobservatory.ingest.backfill;

import org.jspecify.annotations.NullMarked;
