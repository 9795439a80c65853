/**
 * One request to an exchange. In: a declared request with its contract filled in. Out: its response unpacked and parsed within bounds, or
 * which kind of failure it was, with its reason in one line.
 */
@NullMarked
package io.fundingobservatory.ingest.fetching;

import org.jspecify.annotations.NullMarked;
