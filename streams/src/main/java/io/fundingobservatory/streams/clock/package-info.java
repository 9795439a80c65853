/**
 * Which time counts. In: the process's clock and the brokers' stamps on input topics. Out: a steady clock, and the
 * brokers' time that values follow.
 */
@NullMarked
package io.fundingobservatory.streams.clock;

import org.jspecify.annotations.NullMarked;
