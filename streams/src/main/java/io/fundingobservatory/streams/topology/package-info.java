/** The wiring: one class draws the topology, one class a processor. */
@NullMarked
package io.fundingobservatory.streams.topology;

import org.jspecify.annotations.NullMarked;
