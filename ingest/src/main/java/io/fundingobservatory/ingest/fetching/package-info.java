/**
 * HTTP to exchanges. In: one declared request with its contract filled in. Out: a parsed answer within bounds, or which kind of failure it
 * was, with its reason in one line.
 */
@NullMarked
package io.fundingobservatory.ingest.fetching;

import org.jspecify.annotations.NullMarked;
