/**
 * What lies between a client and a broker, and can be disturbed.
 */
@NullMarked
package io.fundingobservatory.faults.network;

import org.jspecify.annotations.NullMarked;
