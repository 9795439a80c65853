package io.fundingobservatory.testbed.sim.server;

import io.fundingobservatory.testbed.sim.Dispersion;

/**
 * How far simulated exchanges go in being like the real ones.
 *
 * @param limits whether they refuse what goes beyond their published limits; what is drawn on them is counted either way
 * @param delays whether they take their time to answer
 * @param newListings whether the settled past of a few contracts is refused, as it is for contracts that have just been listed
 * @param dispersion how far their markets disagree
 */
public record Realism(boolean limits, boolean delays, boolean newListings, Dispersion dispersion) {
    /** Responds to every request at once, so that a first snapshot is complete within seconds. */
    public static final Realism LENIENT = new Realism(false, false, false, Dispersion.NONE);

    /** All of it. */
    public static final Realism STRICT = new Realism(true, true, true, Dispersion.USUAL);
}
