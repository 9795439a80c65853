/**
 * The framework's HTTP client as configured for venues: addresses, proxy, TLS, headers, deadlines. In:
 * method, address and body. Out: a response as it was sent, within a size, or why there is none. Its meaning
 * is not judged here.
 */
@NullMarked
package io.fundingobservatory.ingest.http;

import org.jspecify.annotations.NullMarked;
