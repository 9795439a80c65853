/**
 * The 30-day funding difference. In: listings and settlements of the contracts of an asset. Out: their coverage, pairs and receipts. Pure: no
 * Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.carry;

import org.jspecify.annotations.NullMarked;
