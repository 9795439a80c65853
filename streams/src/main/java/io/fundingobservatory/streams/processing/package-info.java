/**
 * What the processors of both applications share: reading and rejecting records, formats of stored values, the time of a task, and
 * counts.
 */
@NullMarked
package io.fundingobservatory.streams.processing;

import org.jspecify.annotations.NullMarked;
