package io.fundingobservatory.ingest.spec;

import java.time.temporal.TemporalUnit;

/**
 * A header of an exchange's own with the time to wait after a refused request.
 *
 * @param prefix what its name begins with, in lower case; some end in the name of a group of addresses
 * @param unit what its whole number counts
 */
public record WaitHeader(String prefix, TemporalUnit unit) {}
