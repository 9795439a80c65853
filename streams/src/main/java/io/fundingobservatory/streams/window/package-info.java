/**
 * Figures over the 30-day window: pair tables and the quality of estimates. In: payments, listings and errors by asset or exchange. Out:
 * tables and qualities that have changed, within a budget of time for each thread.
 */
@NullMarked
package io.fundingobservatory.streams.window;

import org.jspecify.annotations.NullMarked;
