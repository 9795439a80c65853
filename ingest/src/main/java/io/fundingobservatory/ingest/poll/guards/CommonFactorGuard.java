package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.ingest.publish.GuardDecision;
import io.fundingobservatory.ingest.publish.GuardDecision.Action;
import io.fundingobservatory.ingest.publish.GuardDecision.Guard;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Quarantines a venue while most of its rates are off by a factor of 7 or more. A change of unit or interval does that;
 * markets do not. A poll is compared twice, symbol by symbol:
 *
 * <ul>
 *   <li>with the median of at least five other venues. More than half of at least 20 comparable symbols differ by 7 or
 *       more in the same direction: quarantine;
 *   <li>with the venue's own last published poll, if that is at most ten minutes old or the venue is in quarantine
 *       because of it. The same rule, unless the rates are now within a factor of 2 of the other venues'.
 * </ul>
 *
 * <p>A factor of 2 to 7 is published with a warning. The quarantine ends with the first poll that neither comparison
 * objects to, also because too few symbols can be compared. Rates of a trusted venue ({@code observatory.ingest.trust})
 * are published in any case. Rates about zero, and rates that many symbols share, are not comparable.
 */
final class CommonFactorGuard {
    private static final double QUARANTINE_FROM = 7;
    private static final double WARNING_FROM = 2;
    private static final int FEWEST_OTHERS = 5;
    private static final String OTHERS = "the others'";
    private static final String ITS_OWN = "its own of the last poll";

    private final boolean trusted;
    private @Nullable RateSheet lastPublished;
    private boolean quarantined;

    CommonFactorGuard(boolean trusted) {
        this.trusted = trusted;
    }

    /** Judges one poll by the last polls of the other venues. Returns null when there is nothing to report. */
    @Nullable
    GuardDecision judge(RateSheet poll, Collection<RateSheet> others) {
        RateFactors level = RateFactors.of(poll.rates(), RateSheet.medians(others, FEWEST_OTHERS));
        RateFactors step = lastPublished == null || !lastPublished.isRecent(poll.atMs())
                ? null
                : RateFactors.of(poll.rates(), lastPublished.rates());
        if (level != null && level.areMostly(QUARANTINE_FROM)) {
            return suspect(poll, level.words(OTHERS));
        }
        boolean isLikeOthers = level != null && !level.areMostly(WARNING_FROM);
        if (step != null && step.areMostly(QUARANTINE_FROM) && !isLikeOthers) {
            return suspect(poll, step.words(ITS_OWN));
        }
        boolean released = quarantined;
        quarantined = false;
        lastPublished = poll;
        if (released) {
            String why =
                    level == null && step == null ? "too few of its symbols can be compared" : "the factor is gone";
            return decision(Action.RELEASED, "published again: " + why);
        }
        if (level != null && level.areMostly(WARNING_FROM)) {
            return decision(Action.WARNED, "its rates are " + level.words(OTHERS));
        }
        return step != null && step.areMostly(WARNING_FROM)
                ? decision(Action.WARNED, "its rates are " + step.words(ITS_OWN))
                : null;
    }

    private GuardDecision suspect(RateSheet poll, String words) {
        if (trusted) {
            lastPublished = poll;
            return decision(Action.OVERRULED, "published because it is trusted: its rates are " + words);
        }
        quarantined = true;
        if (lastPublished != null && lastPublished.isRecent(poll.atMs())) {
            lastPublished = new RateSheet(lastPublished.rates(), poll.atMs()); // as old as the quarantine
        }
        return decision(Action.HELD, "held back: its rates are " + words);
    }

    private static GuardDecision decision(Action action, String reason) {
        return new GuardDecision(Guard.COMMON_FACTOR, action, reason);
    }
}
