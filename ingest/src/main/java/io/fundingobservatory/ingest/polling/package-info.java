/**
 * When a venue is polled, and what its responses yield. In: responses of the gate, and time. Out: a report
 * for each poll, with raw quotes, status and guards' decisions. No HTTP and no Kafka. Time is a parameter, so
 * that tests run hours in milliseconds.
 */
@NullMarked
package io.fundingobservatory.ingest.polling;

import org.jspecify.annotations.NullMarked;
