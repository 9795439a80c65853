/**
 * Guards against rates that no market can explain. In: the quotes of a poll. Out: those that may be published, and
 * the decision of each guard with its reason. Pure; guards remember earlier polls.
 */
@NullMarked
package io.fundingobservatory.ingest.poll.guards;

import org.jspecify.annotations.NullMarked;
