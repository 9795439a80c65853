/**
 * What a contract has paid. In: settlements. Out: its payments by UTC day as they are kept, and the ledger over the 30-day window. Pure: no
 * Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.payments;

import org.jspecify.annotations.NullMarked;
