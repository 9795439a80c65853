package io.fundingobservatory.gateway.traffic;

/** What is remembered of a client, or of a network of clients, that names symbols or assets. */
final class ClientHistory {
    private static final long FORGIVEN_AFTER_S = 3_600;

    /**
     * A client that waits as long as the refusal requires may go on at this pace: one new name a minute. The
     * names that it sent before do not matter.
     */
    private static final int POLITE_PAUSE_S = 60;

    private static final long NEVER_S = Long.MIN_VALUE / 2;

    private final NameHistory names = new NameHistory();
    private int refusals;
    private long refusedUntilS = NEVER_S;
    private long newNameS = NEVER_S;
    private boolean waited = true;

    /** Judges the sorted hashes of names, where {@code times} as much is allowed as to one client. */
    Verdict judge(int[] named, int times, long nowS, Limits limits) {
        NameHistory.Count count = names.with(named, (int) nowS, limits.windowS());
        // Looking again at what it knows is never refused.
        boolean window = count.freshInWindow() > 0 && count.inWindow() > limits.windowNames() * times;
        boolean hour = count.fresh() > 0 && count.inHour() > limits.hourNames() * times;
        int waitS = Math.max(
                window ? names.untilHolds(named, limits.windowNames() * times, limits.windowS(), (int) nowS) : 0,
                hour ? names.untilHolds(named, limits.hourNames() * times, NameHistory.HOUR_S, (int) nowS) : 0);
        if (waitS > 0) {
            return new Verdict.Refused(Verdict.Cause.NAMES, waitS);
        }
        return count.fresh() == 0 || named.length > 1 ? Verdict.ADMITTED : alone(count, times, nowS, limits);
    }

    /** Judges a new name in a request of its own: the one way to sweep. */
    private Verdict alone(NameHistory.Count count, int times, long nowS, Limits limits) {
        if (nowS < refusedUntilS) {
            waited = false;
            return new Verdict.Refused(Verdict.Cause.SWEEP, (int) (refusedUntilS - nowS));
        }
        boolean sweep = count.alone() >= limits.sweepNames() * times
                && count.aloneOnce() * 100L >= (long) limits.sweepPercent() * count.alone();
        boolean polite = refusedUntilS != NEVER_S
                && waited
                && nowS - newNameS >= Math.min(POLITE_PAUSE_S, limits.shortestRefusalS());
        if (!sweep || polite) {
            return Verdict.ADMITTED;
        }
        // Longer each time for a client that sends more requests instead of waiting.
        refusals = waited || nowS - refusedUntilS > FORGIVEN_AFTER_S ? 1 : refusals + 1;
        int waitS = (int)
                Math.min(limits.longestRefusalS(), (long) limits.shortestRefusalS() << Math.min(20, refusals - 1));
        waited = true;
        refusedUntilS = nowS + waitS;
        return new Verdict.Refused(Verdict.Cause.SWEEP, waitS);
    }

    /** Remembers them. A name is held for whole seconds from the next one on, so that no window is shorter than it should be. */
    void take(int[] named, long nowUs) {
        if (names.add(named, (int) Math.ceilDiv(nowUs, 1_000_000L))) {
            newNameS = nowUs / 1_000_000;
        }
    }

    int bytes() {
        return 56 + names.bytes();
    }
}
