/**
 * Settlements of a contract. In: what is known of each. Out: the same by UTC day as they are stored, and those of the 30-day window. Pure: no
 * Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.settlements;

import org.jspecify.annotations.NullMarked;
