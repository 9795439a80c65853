/** The drawing of the topology: which topics, processors and stores there are, and what is connected to what. */
@NullMarked
package io.fundingobservatory.streams.topology;

import org.jspecify.annotations.NullMarked;
