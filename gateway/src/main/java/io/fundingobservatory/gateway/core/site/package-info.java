/**
 * What each endpoint returns. In: a request as it was sent, and the current snapshot. Out: its price, status, fields and the pieces of the body.
 * No HTTP server, no clock: times come in as arguments.
 */
@NullMarked
package io.fundingobservatory.gateway.core.site;

import org.jspecify.annotations.NullMarked;
