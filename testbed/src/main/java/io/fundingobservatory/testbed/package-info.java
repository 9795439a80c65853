/**
 * Kafka for tests and for one process. In: a directory and a port, or nothing. Out: the address of a real broker, embedded or in a
 * container.
 */
@NullMarked
package io.fundingobservatory.testbed;

import org.jspecify.annotations.NullMarked;
