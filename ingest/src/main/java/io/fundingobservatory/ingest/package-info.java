/**
 * The ingest service: settings, the pollers of this process's venues, metrics and health. In: what the exchanges answer, and which venues
 * the consumer group assigns. Out: quotes, settlements and statuses in Kafka.
 */
@NullMarked
package io.fundingobservatory.ingest;

import org.jspecify.annotations.NullMarked;
