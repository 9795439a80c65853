/**
 * Exact conversion of what venues publish: rates to other hours, names of coins to assets. In: raw quotes and settlements. Out:
 * fractions of notional, normalised names. Pure.
 */
@NullMarked
package io.fundingobservatory.topics.normalisation;

import org.jspecify.annotations.NullMarked;
