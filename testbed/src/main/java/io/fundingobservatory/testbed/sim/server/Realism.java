package io.fundingobservatory.testbed.sim.server;

import io.fundingobservatory.testbed.sim.Dispersion;

/**
 * How far simulated exchanges go in being like the real ones.
 *
 * @param limits whether they refuse what goes beyond their published limits; what is drawn on them is counted either way
 * @param delays whether they respond late, as real ones do
 * @param newListings whether the settled past of a few contracts is refused, as it is for contracts that have just been listed
 * @param dispersion how far their markets disagree
 * @param contracts how many contracts a venue lists at most; a real one lists up to 900
 */
public record Realism(boolean limits, boolean delays, boolean newListings, Dispersion dispersion, int contracts) {
    /** Responds to every request at once, so that a first snapshot is complete within seconds. */
    public static final Realism LENIENT = new Realism(false, false, false, Dispersion.NONE, Integer.MAX_VALUE);

    /** All of it. */
    public static final Realism STRICT = new Realism(true, true, true, Dispersion.USUAL, Integer.MAX_VALUE);

    /**
     * As {@link #LENIENT}, with a few contracts of each kind: for tests whose subject is not the size. The nightly run takes all
     * contracts, by {@code -Dobservatory.simulated.contracts}.
     */
    public static final Realism SMALL =
            LENIENT.withContracts(Integer.getInteger("observatory.simulated.contracts", 12));

    /** The same, with at most so many contracts at each venue. */
    public Realism withContracts(int most) {
        return new Realism(limits, delays, newListings, dispersion, most);
    }
}
