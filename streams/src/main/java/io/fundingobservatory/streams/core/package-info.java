/** What all parts share: which records are plausible, what a quote becomes, the time of a task, and what is counted. No Kafka, no I/O. */
@NullMarked
package io.fundingobservatory.streams.core;

import org.jspecify.annotations.NullMarked;
