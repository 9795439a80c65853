/**
 * The settlement ledger of a contract. In: settlements. Out: the same by UTC day as they are stored, and the ledger over the 30-day window. Pure: no
 * Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.settlements;

import org.jspecify.annotations.NullMarked;
