/**
 * Kafka for tests and for one process. In: a directory and a port, or nothing. Out: the address of a real broker, embedded or in a
 * container. It does not depend on simulated venues.
 */
@NullMarked
package io.fundingobservatory.testbed.broker;

import org.jspecify.annotations.NullMarked;
