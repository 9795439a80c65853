/**
 * What is known of each contract and what it has paid, in stores that processors share. In: one quote's or settlement's meaning. Out:
 * changed stores, and events to the named children: the ledger topic, pair tables, qualities.
 */
@NullMarked
package io.fundingobservatory.streams.ledger;

import org.jspecify.annotations.NullMarked;
