/**
 * One exchange, one file: its data sheet, then how its responses are read. In: responses by the name of their request. Out: quotes and
 * settlements.
 */
@NullMarked
package io.fundingobservatory.ingest.venues;

import org.jspecify.annotations.NullMarked;
