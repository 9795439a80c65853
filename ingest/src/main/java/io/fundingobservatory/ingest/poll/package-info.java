/**
 * When a venue is polled, and what its responses yield. In: responses, and time. Out: a report for each poll,
 * with raw quotes, status and guard decisions. Time is a parameter, so that tests run hours in milliseconds.
 */
@NullMarked
package io.fundingobservatory.ingest.poll;

import org.jspecify.annotations.NullMarked;
