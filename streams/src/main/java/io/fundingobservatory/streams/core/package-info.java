/** The pure part: which records are plausible, and what a quote becomes. No Kafka, no clock, no I/O. */
@NullMarked
package io.fundingobservatory.streams.core;

import org.jspecify.annotations.NullMarked;
