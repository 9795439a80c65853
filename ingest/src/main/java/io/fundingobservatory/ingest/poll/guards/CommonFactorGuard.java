package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.poll.guards.CommonFactor.RateSheet;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quarantines a venue whose rates are all off by one factor of 7 or more, and releases it again. The usual
 * cause is an unannounced change of unit or interval.
 *
 * <p>Three patterns lead to quarantine. First: a tight jump of its own rates against those of the last ten
 * minutes. A jump towards the other venues' rates, or to their level, is exempt. Second: a common factor
 * against the others' median that appeared during an outage. Third: such a factor of 9 or more that was
 * present from the start.
 *
 * <p>Rates that drift away from the others while being watched are published with a warning. The same holds
 * for rates that move poll by poll, as in a crash, and for smaller factors from 2 on.
 *
 * <p>The quarantine ends when the factor is gone, after 30 minutes, or when too few symbols can be compared.
 */
final class CommonFactorGuard {
    private static final double QUARANTINE_FROM = 7;

    /**
     * Threshold while only the others' current rates are known, as at the start. There, correct rates have
     * reached 8.8 times the others' and came down within minutes. That was a venue at 3.75 times the market
     * with few symbols to compare.
     */
    private static final double QUARANTINE_UNKNOWN_FROM = 9;

    /** The smallest change of unit or interval is 8; within minutes rates move by a few percent, which must not hide it. */
    private static final double JUMP_FROM = 7;

    /** The last step of a ramp as a part of the move of ten minutes; a median of 20 symbols is noisy by about 0.01. */
    private static final double RAMP_FROM_PART = 0.03;

    private static final double RAMP_TO_PART = 0.85;

    /** Of the rates of some hours ago, which have moved themselves. */
    private static final double MOVED_FROM = 3.5;

    private static final double GONE_BELOW = 5;
    private static final double WARNED_FROM = 2;
    private static final double WARNED_UNTIL = 1.7;

    private static final String OTHERS = "the others'";
    private static final String ITS_OWN = "its own of ten minutes ago";

    private static final long LONGEST_QUARANTINE_MS = Duration.ofMinutes(30).toMillis();
    private static final long RECENT_MS = Duration.ofMinutes(10).toMillis();
    private static final long REFERENCE_EVERY_MS = Duration.ofMinutes(5).toMillis();
    private static final long AGREED_MS = Duration.ofHours(4).toMillis();
    private static final long REMEMBERED_MS = Duration.ofDays(1).toMillis();

    /**
     * A venue in quarantine.
     *
     * @param before its rates before they jumped; null when it was found by the others' alone
     */
    private record Quarantine(long sinceMs, @Nullable RateSheet before) {}

    /**
     * A jump of all rates.
     *
     * @param before the published poll before it
     */
    private record Jump(RateSheet before, LogRatios moved) {}

    private final boolean trusted;
    private @Nullable RateSheet last;
    // Published polls, at least five minutes apart: references that a change spread over several polls does not wear
    // away.
    private @Nullable RateSheet older;
    private @Nullable RateSheet newer;
    /**
     * The last published poll whose unit is known to be right. Either the others did not contradict it: no
     * common factor, or one below 7. Or it follows such a poll without a jump, so that its deviation from the
     * others is drift.
     */
    private @Nullable RateSheet agreed;
    /** The rates published before a new level was accepted. A return to them does not count as a jump. */
    private @Nullable RateSheet former;

    private @Nullable Quarantine quarantine;
    private boolean warning;

    CommonFactorGuard(boolean trusted) {
        this.trusted = trusted;
    }

    /**
     * Judges one poll by 8-hour rates by asset, its own and those of the other exchanges' last polls. Returns null when
     * there is nothing to report.
     */
    @Nullable
    GuardDecision judge(Map<String, Double> own, Collection<Map<String, Double>> others, long nowMs) {
        var sheet = new RateSheet(own, nowMs);
        LogRatios level = common(CommonFactor.toOthers(own, others));
        Quarantine ongoing = quarantine;
        if (ongoing != null) {
            String released = released(ongoing, sheet, level);
            if (released == null) {
                return ongoing(ongoing, own, level);
            }
            quarantine = null;
            older = null;
            newer = null;
            former = ongoing.before();
            accept(sheet, level, others.size());
            agreed = sheet;
            return new GuardDecision(Guard.COMMON_FACTOR, Action.RELEASED, "published again: " + released);
        }
        Jump jump = jump(sheet, level);
        LogRatios suspicious = jump == null ? deviation(sheet, level) : jump.moved();
        if (suspicious == null) {
            accept(sheet, level, others.size());
            return warning(level);
        }
        String against = jump == null ? OTHERS : ITS_OWN;
        if (trusted) {
            accept(sheet, level, others.size());
            return decision(Action.OVERRULED, suspicious, against, "published because it is trusted: ");
        }
        quarantine = new Quarantine(nowMs, jump == null ? null : jump.before());
        return decision(Action.HELD, suspicious, against, "held back: ");
    }

    private static GuardDecision ongoing(Quarantine ongoing, Map<String, Double> own, @Nullable LogRatios level) {
        LogRatios moved = moved(ongoing, own);
        return decision(Action.HELD, moved == null ? level : moved, moved == null ? OTHERS : ITS_OWN, "held back: ");
    }

    private static @Nullable LogRatios common(@Nullable LogRatios ratios) {
        return ratios != null && ratios.isCommon() ? ratios : null;
    }

    /** A tight jump of its own rates that the others' rates do not explain. */
    private @Nullable Jump jump(RateSheet now, @Nullable LogRatios level) {
        if (isBackAt(former, now)) {
            return null;
        }
        RateSheet previous = recent(last, now.atMs());
        LogRatios step = previous == null ? null : CommonFactor.toRates(now.rates(), previous.rates());
        if (previous != null && step != null && isJump(step)) {
            return isExplained(step, level) ? null : new Jump(previous, step);
        }
        RateSheet reference = reference(now.atMs());
        LogRatios moved = reference == null ? null : CommonFactor.toRates(now.rates(), reference.rates());
        if (reference == null || moved == null) {
            return null;
        }
        if (step != null && isRamp(step, moved)) {
            older = null;
            newer = now;
            return null;
        }
        return isJump(moved) && !isExplained(moved, level) ? new Jump(reference, moved) : null;
    }

    private static boolean isJump(LogRatios moved) {
        return moved.isTight() && moved.isAtLeast(JUMP_FROM);
    }

    /** Whether the others' rates confirm the new level: it has come nearer to theirs, or it equals theirs. */
    private static boolean isExplained(LogRatios moved, @Nullable LogRatios level) {
        return level != null && (level.middle() * moved.middle() < 0 || !level.isAtLeast(WARNED_FROM));
    }

    /**
     * Returns whether all rates move together poll by poll, as in a crash. For most of them, the last step is
     * then a part of the whole move. Where a unit changes, one step is the whole move of a symbol, and its
     * other steps are zero. Rates from before a ramp are not a reference for rates after it.
     */
    private static boolean isRamp(LogRatios step, LogRatios moved) {
        double part = step.middle() / moved.middle();
        return moved.isTight()
                && moved.isAtLeast(MOVED_FROM)
                && step.isTight()
                && part >= RAMP_FROM_PART
                && part <= RAMP_TO_PART;
    }

    /**
     * Returns a deviation from the others that the market does not explain; null when there is none. A venue
     * that the others did not contradict in the last hours has drifted. The exception is a venue that was
     * away in between and returned with all its rates changed by the same factor. Without such an earlier
     * poll, as at the start, the others alone decide.
     */
    private @Nullable LogRatios deviation(RateSheet now, @Nullable LogRatios level) {
        if (level == null || !level.isAtLeast(QUARANTINE_FROM)) {
            return null;
        }
        if (agreed == null || !agreed.isWithin(AGREED_MS, now.atMs())) {
            return level.isAtLeast(QUARANTINE_UNKNOWN_FROM) ? level : null;
        }
        if (recent(last, now.atMs()) != null) {
            return null; // a change of unit would have been a jump
        }
        LogRatios moved = CommonFactor.toRates(now.rates(), agreed.rates());
        return moved != null && moved.isTight() && moved.isAtLeast(MOVED_FROM) && moved.middle() * level.middle() > 0
                ? level
                : null;
    }

    private static boolean isBackAt(@Nullable RateSheet earlier, RateSheet now) {
        LogRatios since = earlier == null || !earlier.isWithin(REMEMBERED_MS, now.atMs())
                ? null
                : CommonFactor.toRates(now.rates(), earlier.rates());
        return since != null && !since.isAtLeast(WARNED_FROM);
    }

    /** Why a venue in quarantine is published again; null while it is not. */
    private static @Nullable String released(Quarantine ongoing, RateSheet now, @Nullable LogRatios level) {
        LogRatios moved = moved(ongoing, now.rates());
        if (level == null && moved == null) {
            return "too few of its symbols can be compared";
        }
        if (now.atMs() - ongoing.sinceMs() >= LONGEST_QUARANTINE_MS) {
            return "its rates have stood at the new level for 30 minutes";
        }
        boolean agrees = level != null && !level.isAtLeast(moved == null ? GONE_BELOW : WARNED_FROM);
        boolean back = moved != null && !moved.isAtLeast(Math.sqrt(QUARANTINE_FROM));
        return agrees || back ? "the factor is gone" : null;
    }

    private static @Nullable LogRatios moved(Quarantine ongoing, Map<String, Double> own) {
        RateSheet before = ongoing.before();
        return before == null ? null : CommonFactor.toRates(own, before.rates());
    }

    private void accept(RateSheet sheet, @Nullable LogRatios level, int others) {
        boolean comparedToItself = recent(last, sheet.atMs()) != null;
        last = sheet;
        if (newer == null || sheet.atMs() - newer.atMs() >= REFERENCE_EVERY_MS) {
            older = newer;
            newer = sheet;
        }
        // In the first minutes the others come in one by one, and 8 may look like 6.
        boolean settled = older != null && others >= CommonFactor.OTHERS;
        boolean unsuspected = level == null ? settled : !level.isAtLeast(settled ? QUARANTINE_FROM : GONE_BELOW);
        boolean drifted =
                agreed != null && agreed.isWithin(AGREED_MS, sheet.atMs()) && (comparedToItself || level != null);
        if (unsuspected || drifted) {
            agreed = sheet;
        }
    }

    /** Published rates of five to ten minutes ago where there are any; null after an outage. */
    private @Nullable RateSheet reference(long nowMs) {
        RateSheet reference = recent(older, nowMs);
        return reference == null ? recent(newer, nowMs) : reference;
    }

    private static @Nullable RateSheet recent(@Nullable RateSheet sheet, long nowMs) {
        return sheet != null && sheet.isWithin(RECENT_MS, nowMs) ? sheet : null;
    }

    private @Nullable GuardDecision warning(@Nullable LogRatios level) {
        warning = level != null && level.isAtLeast(warning ? WARNED_UNTIL : WARNED_FROM);
        return warning ? decision(Action.WARNED, level, OTHERS, "") : null;
    }

    private static GuardDecision decision(Action action, @Nullable LogRatios ratios, String against, String lead) {
        if (ratios == null) {
            throw new IllegalStateException("a decision without a comparison");
        }
        return new GuardDecision(
                Guard.COMMON_FACTOR,
                action,
                lead + "its rates are " + ratios.words() + ' ' + against + " on most of " + ratios.count()
                        + " symbols");
    }
}
