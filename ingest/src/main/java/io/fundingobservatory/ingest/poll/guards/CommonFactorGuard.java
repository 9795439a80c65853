package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.poll.guards.RateSheet.Factors;
import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Quarantines a venue while most of its rates are off by a factor of 7 or more. A change of unit or interval does that;
 * markets do not. A poll is compared twice, symbol by symbol:
 *
 * <ul>
 *   <li>with the median of at least five other venues' last polls, none older than ten minutes. More than half of at least
 *       20 comparable symbols differ by 7 or more in the same direction: quarantine;
 *   <li>with the venue's own last published poll, if that is at most ten minutes old or the venue is in quarantine. The
 *       same rule, unless the rates are now within a factor of 2 of the other venues'.
 * </ul>
 *
 * <p>A factor of 2 to 7 is published with a warning. The quarantine ends with the first poll that neither comparison
 * objects to, also because too few symbols can be compared. Rates of a trusted venue ({@code observatory.ingest.trust})
 * are published in any case. Rates about zero, and rates that many symbols share, are not comparable.
 *
 * <p>The others' polls count in quarantine or not: one venue does not move a median. If all venues move together, each
 * one finds the others at its own level within a minute, and none stays in quarantine.
 */
public final class CommonFactorGuard {
    private static final double QUARANTINE_FROM = 7;
    private static final double WARNING_FROM = 2;
    private static final int FEWEST_OTHERS = 5;
    private static final String OTHERS = "the others'";
    private static final String ITS_OWN = "its own of the last poll";

    /** A venue's last poll, its last published one, and whether it is in quarantine. */
    private record Known(RateSheet poll, @Nullable RateSheet published, boolean quarantined) {}

    private final Map<String, Known> venues = new ConcurrentHashMap<>();

    /** Judges one poll of a venue. Returns null when there is nothing to report. */
    @Nullable
    GuardDecision judge(String venue, RateSheet poll, boolean trusted) {
        Known before = venues.get(venue);
        boolean held = before != null && before.quarantined();
        RateSheet last = before == null ? null : before.published();
        List<RateSheet> others = venues.entrySet().stream()
                .filter(other -> !other.getKey().equals(venue))
                .map(other -> other.getValue().poll())
                .filter(other -> other.isRecent(poll.atMs()))
                .toList();
        Factors level = poll.times(RateSheet.ofAll(others, FEWEST_OTHERS, poll.atMs()));
        Factors step = last == null || !(held || last.isRecent(poll.atMs())) ? null : poll.times(last);

        boolean isLikeOthers = level != null && !level.areMostly(WARNING_FROM);
        String suspect = words(level, OTHERS, QUARANTINE_FROM);
        if (suspect == null && !isLikeOthers) {
            suspect = words(step, ITS_OWN, QUARANTINE_FROM);
        }
        boolean quarantined = suspect != null && !trusted;
        venues.put(venue, new Known(poll, quarantined ? last : poll, quarantined));
        if (suspect != null) {
            return quarantined
                    ? decision(Action.HELD, "held back: its rates are " + suspect)
                    : decision(Action.OVERRULED, "published because it is trusted: its rates are " + suspect);
        }
        if (held) {
            String why =
                    level == null && step == null ? "too few of its symbols can be compared" : "the factor is gone";
            return decision(Action.RELEASED, "published again: " + why);
        }
        String warning = words(level, OTHERS, WARNING_FROM);
        warning = warning == null ? words(step, ITS_OWN, WARNING_FROM) : warning;
        return warning == null ? null : decision(Action.WARNED, "its rates are " + warning);
    }

    /** What is wrong with most rates, if they differ by a factor at least; null when they do not. */
    private static @Nullable String words(@Nullable Factors factors, String than, double from) {
        return factors == null || !factors.areMostly(from) ? null : factors.words(than);
    }

    private static GuardDecision decision(Action action, String reason) {
        return new GuardDecision(Guard.COMMON_FACTOR, action, reason);
    }
}
