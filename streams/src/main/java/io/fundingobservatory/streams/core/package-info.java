/** The pure part: which records are plausible, what a quote becomes, and which observation wins. No Kafka, no clock, no I/O. */
@NullMarked
package io.fundingobservatory.streams.core;

import org.jspecify.annotations.NullMarked;
