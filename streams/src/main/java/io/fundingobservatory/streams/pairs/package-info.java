/**
 * The application {@code pairs}. In: events of contracts, by asset. Out: the settlement ledger, the pair table of each asset over the
 * 30-day window, and how far estimates were from what venues settled.
 */
@NullMarked
package io.fundingobservatory.streams.pairs;

import org.jspecify.annotations.NullMarked;
