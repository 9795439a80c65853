/**
 * Whether a request is answered or refused, decided by the shape of a client's traffic: how much it asks for, and whether it
 * looks at many things once each. Pure: time comes in as an argument, and memory is bounded whatever comes.
 */
@NullMarked
package io.fundingobservatory.gateway.traffic;

import org.jspecify.annotations.NullMarked;
