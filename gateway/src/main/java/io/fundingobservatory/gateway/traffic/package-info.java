/**
 * Decides whether a request is answered or refused, by the shape of a client's traffic. The shape is how much
 * the client requests, and whether it looks at many things once each. Pure: time comes in as an argument, and
 * memory is bounded for any input.
 */
@NullMarked
package io.fundingobservatory.gateway.traffic;

import org.jspecify.annotations.NullMarked;
