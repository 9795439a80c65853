/**
 * What quotes and published settlements become. In: raw records. Out: rates per 8 hours and fractions of notional, or the reason why a
 * record cannot be true. Pure: no Kafka, no clock, no I/O.
 */
@NullMarked
package io.fundingobservatory.streams.normalisation;

import org.jspecify.annotations.NullMarked;
