/**
 * What each endpoint returns. In: a request and the current snapshot. Out: status, fields and the pieces of the body.
 * No HTTP server, no clock: times come in as arguments.
 */
@NullMarked
package io.fundingobservatory.gateway.core.site;

import org.jspecify.annotations.NullMarked;
