/**
 * The ingest service: settings, the pollers of this process's venues, metrics and health. In: the exchanges' responses, and the venues that
 * the consumer group assigns. Out: quotes, settlements and statuses in Kafka.
 */
@NullMarked
package io.fundingobservatory.ingest;

import org.jspecify.annotations.NullMarked;
