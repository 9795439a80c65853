/** The service: configuration, start and stop, health and counters around the topology. */
@NullMarked
package io.fundingobservatory.streams;

import org.jspecify.annotations.NullMarked;
