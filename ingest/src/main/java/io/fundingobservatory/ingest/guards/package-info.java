/**
 * Guards against figures that no market can explain. A poll's quotes come in; what may be published goes out, with each guard's
 * decision and its reason. Pure but for what it remembers of earlier polls.
 */
@NullMarked
package io.fundingobservatory.ingest.guards;

import org.jspecify.annotations.NullMarked;
