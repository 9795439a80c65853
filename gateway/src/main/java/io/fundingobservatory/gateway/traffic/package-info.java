/**
 * Decides whether a request is refused, by the traffic of its client. The shape is how much
 * the client requests, and whether it looks at many things once each. Pure: time comes in as an argument, and
 * memory is bounded for any input.
 */
@NullMarked
package io.fundingobservatory.gateway.traffic;

import org.jspecify.annotations.NullMarked;
