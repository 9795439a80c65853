/**
 * One poll of a venue outside of the service. In: a venue and the client for its requests. Out: the outcome
 * of each request, and on demand the recorded bodies.
 */
@NullMarked
package io.fundingobservatory.ingest.probing;

import org.jspecify.annotations.NullMarked;
