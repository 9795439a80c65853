/**
 * The plan of a venue's requests. In: a venue, and how many contracts its simulated one lists. Out: the requests
 * that its poller sends within an hour, with their times and what they draw on each published limit.
 */
@NullMarked
package io.fundingobservatory.standalone.plan;

import org.jspecify.annotations.NullMarked;
