/**
 * The application {@code rates}. In: raw quotes and published settlements. Out: rate records, rows, dead letters, and what the pair
 * tables have to know about each contract.
 */
@NullMarked
package io.fundingobservatory.streams.rates;

import org.jspecify.annotations.NullMarked;
