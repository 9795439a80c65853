package io.fundingobservatory.gateway.traffic;

/** What is remembered of a client, or of a network of clients, that names symbols or assets. */
final class ClientHistory {
    private static final long FORGIVEN_AFTER_S = 3_600;

    /** Who waits as long as it was told may go on at this pace, whatever it named before: one new name a minute. */
    private static final int POLITE_PAUSE_S = 60;

    private static final long NEVER_S = Long.MIN_VALUE / 2;

    private final NameHistory names = new NameHistory();
    private int refusals;
    private long refusedUntilS = NEVER_S;
    private long newNameS = NEVER_S;
    private boolean waited = true;

    /**
     * Judges the names of a request.
     *
     * @param named their hashes, sorted
     * @param times how many times what one client may do
     */
    Verdict judge(int[] named, int times, long nowS, Limits limits) {
        NameHistory.Count count = names.with(named, (int) nowS, limits.windowS());
        if (count.fresh() == 0 && named.length <= limits.requestNames()) {
            // Looking again at what it knows is never a sweep, not even by a client that is being refused.
            return Verdict.ADMITTED;
        }
        if (nowS < refusedUntilS) {
            waited = false;
            return new Verdict.Refused(Verdict.Shape.SWEEP, (int) (refusedUntilS - nowS));
        }
        boolean sweep = count.othersInWindow()
                && count.inWindow() >= limits.sweepNames() * times
                && count.onceInWindow() * 100L >= (long) limits.sweepPercent() * count.inWindow();
        boolean many = named.length > limits.requestNames() || count.inWindow() > limits.windowNames() * times;
        boolean hour = count.inHour() > limits.hourNames() * times;
        boolean polite = refusedUntilS != NEVER_S
                && waited
                && named.length == 1
                && nowS - newNameS >= Math.min(POLITE_PAUSE_S, limits.shortestRefusalS());
        if ((!sweep && !many && !hour) || (polite && !hour)) {
            return Verdict.ADMITTED;
        }
        // Longer each time for who asks on instead of waiting.
        refusals = waited || nowS - refusedUntilS > FORGIVEN_AFTER_S ? 1 : refusals + 1;
        int waitS = (int)
                Math.min(limits.longestRefusalS(), (long) limits.shortestRefusalS() << Math.min(20, refusals - 1));
        if (hour) {
            waitS = Math.max(waitS, names.untilHourHolds(limits.hourNames() * times - count.fresh(), (int) nowS));
        }
        waited = true;
        refusedUntilS = nowS + waitS;
        return new Verdict.Refused(Verdict.Shape.SWEEP, waitS);
    }

    void take(int[] named, long nowS) {
        if (names.add(named, (int) nowS)) {
            newNameS = nowS;
        }
    }

    /** What it takes in memory, about. */
    int bytes() {
        return 56 + names.bytes();
    }
}
