/**
 * The values of {@code carry.pairs}: the 30-day table of one asset with its legs, pairs and refused pairs.
 * In: sums over the common window. Out: a table and its {@code CODEC}, in which each leg is stored once.
 */
@NullMarked
package io.fundingobservatory.topics.carry;

import org.jspecify.annotations.NullMarked;
