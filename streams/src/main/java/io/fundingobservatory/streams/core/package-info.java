/** The pure part: asset names, the conversion to 8 hours, and which observation wins. No Kafka, no clock, no I/O. */
@NullMarked
package io.fundingobservatory.streams.core;

import org.jspecify.annotations.NullMarked;
