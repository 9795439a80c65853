package io.fundingobservatory.testbed.sim;

/**
 * How far venues disagree about the funding of one asset. Each venue has its own level, which moves slowly,
 * and each of its contracts scatters around it. Values in thousandths.
 *
 * @param mostLevel greatest factor between a venue's level and the others'
 * @param mostScatter greatest factor between a contract and its venue's level
 */
public record Dispersion(int mostLevel, int mostScatter) {
    /** All exchanges at one level: a bug that shifts one of them is seen at once. */
    public static final Dispersion NONE = new Dispersion(1_000, 1_000);

    /** A hot market, in which hourly venues are at three times the others. */
    public static final Dispersion USUAL = new Dispersion(3_000, 1_600);

    private static final long DAY_MS = 24 * 3_600_000L;
    private static final int ONE = 1_000;

    /** A rate as this exchange and this contract have it. */
    long applied(long rate, long venueKey, long contractKey, long atMs) {
        if (mostLevel == ONE && mostScatter == ONE) {
            return rate;
        }
        long level = factor(venueKey, mostLevel, atMs, 3 * DAY_MS);
        long scatter = factor(contractKey, mostScatter, atMs, DAY_MS);
        return Math.floorDiv(rate * level * scatter, (long) ONE * ONE);
    }

    /** Between its inverse and the most, as often above one as below. */
    private static long factor(long key, int most, long atMs, long periodMs) {
        long at = Noise.walk(key, atMs, periodMs, ONE);
        long above = ONE + Math.floorDiv((most - ONE) * Math.abs(at), ONE);
        return at >= 0 ? above : (long) ONE * ONE / above;
    }
}
