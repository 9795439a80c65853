/**
 * One look at an exchange outside of the service. In: a venue and how it is asked. Out: what came of each request, and on demand the
 * recorded bodies.
 */
@NullMarked
package io.fundingobservatory.ingest.probing;

import org.jspecify.annotations.NullMarked;
