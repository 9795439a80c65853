/**
 * The life of an application. In: the state of brokers and of the local directory. Out: its start, its restarts after a thread has died,
 * its stop; one line when it cannot go on.
 */
@NullMarked
package io.fundingobservatory.streams.lifecycle;

import org.jspecify.annotations.NullMarked;
