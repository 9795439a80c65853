/**
 * The processors of the topology. In: records as bytes. Out: rows, settlements, pair tables, dead letters, as bytes, each to a named
 * child. Every decision is a call into {@code core} or {@code carry}.
 */
@NullMarked
package io.fundingobservatory.streams.processors;

import org.jspecify.annotations.NullMarked;
