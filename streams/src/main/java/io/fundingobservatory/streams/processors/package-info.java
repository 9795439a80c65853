/**
 * What becomes of a quote and of a settlement. In: their records as bytes. Out: events, rows and dead letters, each to a named child; what
 * a contract has paid goes through {@code ledger}. Every decision on a rate is a call into {@code core}.
 */
@NullMarked
package io.fundingobservatory.streams.processors;

import org.jspecify.annotations.NullMarked;
