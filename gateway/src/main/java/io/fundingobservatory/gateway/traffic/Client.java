package io.fundingobservatory.gateway.traffic;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is remembered of one client, or of a network of clients that may do a multiple of what one may. */
final class Client {
    private static final long US_PER_MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final long FORGIVEN_AFTER_S = 3_600;

    private final int times;
    /** GCRA's theoretical arrival time, µs: until then the points asked for so far last. */
    private long paidUntilUs = Long.MIN_VALUE / 2;

    private @Nullable Looks looks;
    private int refusals;
    private long refusedUntilS = Long.MIN_VALUE / 2;

    Client(int times) {
        this.times = times;
    }

    synchronized Verdict judge(Request request, int[] names, long nowUs, Limits limits) {
        Verdict shape = names.length == 0 ? Verdict.ADMITTED : shape(names, nowUs / 1_000_000, limits);
        return shape instanceof Verdict.Refused ? shape : volume(request, nowUs, limits);
    }

    private Verdict volume(Request request, long nowUs, Limits limits) {
        long allowedUs = limits.burstPoints() * US_PER_MINUTE / limits.pointsPerMinute();
        long aheadUs = Math.max(paidUntilUs, nowUs) + costUs(request, limits) - nowUs - allowedUs;
        return aheadUs <= 0
                ? Verdict.ADMITTED
                : new Verdict.Refused(Verdict.Shape.VOLUME, (int) Math.ceilDiv(aheadUs, 1_000_000L));
    }

    private long costUs(Request request, Limits limits) {
        return request.points() * US_PER_MINUTE / limits.pointsPerMinute() / times;
    }

    private Verdict shape(int[] names, long nowS, Limits limits) {
        Looks.Count count = (looks == null ? new Looks() : looks).with(names, (int) nowS, limits.windowS());
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

    synchronized void take(Request request, int[] names, long nowUs, Limits limits) {
        paidUntilUs = Math.max(paidUntilUs, nowUs) + costUs(request, limits);
        if (names.length > 0) {
            if (looks == null) {
                looks = new Looks();
            }
            looks.add(names, (int) (nowUs / 1_000_000));
        }
    }

    /** What it takes in memory with its entry in the map, about. */
    synchronized int bytes() {
        return 240 + (looks == null ? 0 : looks.bytes());
    }
}
