/**
 * What the processors of both applications share: how records from outside are read or rejected, how values are stored, the time of a
 * task, and what is counted.
 */
@NullMarked
package io.fundingobservatory.streams.processing;

import org.jspecify.annotations.NullMarked;
