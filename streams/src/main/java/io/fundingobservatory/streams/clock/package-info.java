/**
 * Which time counts. In: the process's clock and the brokers' stamps on {@code quotes.raw}. Out: a steady clock, the brokers' time that
 * values follow, and the order of observations.
 */
@NullMarked
package io.fundingobservatory.streams.clock;

import org.jspecify.annotations.NullMarked;
