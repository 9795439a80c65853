/** Asking the exchanges, and judging what comes back before anybody reads it. */
@NullMarked
package io.fundingobservatory.ingest.fetching;

import org.jspecify.annotations.NullMarked;
