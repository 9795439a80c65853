package io.fundingobservatory.gateway.traffic;

/** What is remembered of a client, or of a network of clients, that names symbols or assets. */
final class Looker {
    private static final long FORGIVEN_AFTER_S = 3_600;

    private final Looks looks = new Looks();
    private int refusals;
    private long refusedUntilS = Long.MIN_VALUE / 2;

    /**
     * Judges the names of a request.
     *
     * @param names their hashes, sorted
     * @param times how many times what one client may do
     */
    Verdict judge(int[] names, int times, long nowS, Limits limits) {
        Looks.Count count = looks.with(names, (int) nowS, limits.windowS());
        if (count.fresh() == 0 && names.length <= limits.requestNames()) {
            // Looking again at what it knows is never a sweep, not even by a client that is being refused.
            return Verdict.ADMITTED;
        }
        if (nowS < refusedUntilS) {
            return new Verdict.Refused(Verdict.Shape.SWEEP, (int) (refusedUntilS - nowS));
        }
        boolean sweep = count.othersInWindow()
                && count.inWindow() >= limits.sweepNames() * times
                && count.onceInWindow() * 100L >= (long) limits.sweepPercent() * count.inWindow();
        boolean many = names.length > limits.requestNames()
                || count.inWindow() > limits.windowNames() * times
                || count.inHour() > limits.hourNames() * times;
        if (!sweep && !many) {
            return Verdict.ADMITTED;
        }
        refusals = nowS - refusedUntilS > FORGIVEN_AFTER_S ? 1 : refusals + 1;
        int waitS = (int)
                Math.min(limits.longestRefusalS(), (long) limits.shortestRefusalS() << Math.min(20, refusals - 1));
        refusedUntilS = nowS + waitS;
        return new Verdict.Refused(Verdict.Shape.SWEEP, waitS);
    }

    void take(int[] names, long nowS) {
        looks.add(names, (int) nowS);
    }

    /** What it takes in memory, about. */
    int bytes() {
        return 40 + looks.bytes();
    }
}
