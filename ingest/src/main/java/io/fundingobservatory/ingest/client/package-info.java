/**
 * The HTTP client of one venue: rate limits, back-off, deadlines, sizes, proxy and TLS. In: a declared request
 * with its key. Out: the parsed response, or which kind of failure it was, with its reason in one line.
 */
@NullMarked
package io.fundingobservatory.ingest.client;

import org.jspecify.annotations.NullMarked;
