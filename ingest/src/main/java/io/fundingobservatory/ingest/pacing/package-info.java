/**
 * When a request may go out: the published limits as pools, pauses that an exchange asks for, and time itself. In: requests with
 * their cost. Out: the exchange's answer, or why it was not asked.
 */
@NullMarked
package io.fundingobservatory.ingest.pacing;

import org.jspecify.annotations.NullMarked;
