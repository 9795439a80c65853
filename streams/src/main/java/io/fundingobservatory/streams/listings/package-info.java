/**
 * What a symbol refers to over time. In: observations of a contract. Out: its listings, and the settlements that took place between two
 * observations. Pure: no Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.listings;

import org.jspecify.annotations.NullMarked;
