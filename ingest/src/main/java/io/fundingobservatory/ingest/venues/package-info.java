/** One exchange, one file: its data sheet, then how its answers are read. */
@NullMarked
package io.fundingobservatory.ingest.venues;

import org.jspecify.annotations.NullMarked;
