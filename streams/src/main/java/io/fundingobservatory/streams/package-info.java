/**
 * The service. In: settings. Out: a Kafka Streams client that is configured, started and stopped around the topology, its health and its
 * counters.
 */
@NullMarked
package io.fundingobservatory.streams;

import org.jspecify.annotations.NullMarked;
