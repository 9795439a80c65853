/**
 * Which time counts. In: the process's clock and the brokers' stamps on {@code quotes.raw}. Out: a steady clock, the brokers' time that
 * figures follow, and the order of readings.
 */
@NullMarked
package io.fundingobservatory.streams.clock;

import org.jspecify.annotations.NullMarked;
