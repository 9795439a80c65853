package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.pairs.RankedPair;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.VenueState;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.DailyDifferences;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A pair as a response shows it: the values of its table, joined with the rates of a snapshot. One thread uses it. */
final class PairRow {
    /** A ratio of two prices ends nowhere; so many digits tell prices within 5 % apart with room to spare. */
    private static final MathContext RATIO = new MathContext(8, RoundingMode.HALF_EVEN);

    /** A leg's exchange publishes no settled rates: no time completes the pair. */
    private static final String NO_SETTLED_HISTORY = "no_settled_history";

    /** A leg's settled history is still being read, so every other reason but that one may still change. */
    private static final String HISTORY_BEING_READ = "history_being_read";

    private final Snapshot snapshot;
    private final RankedPair pair;
    private final int rank;
    private @Nullable DailyDifferences days;

    PairRow(Snapshot snapshot, RankedPair pair, int rank) {
        this.snapshot = snapshot;
        this.pair = pair;
        this.rank = rank;
    }

    RankedPair pair() {
        return pair;
    }

    int rank() {
        return rank;
    }

    DailyDifferences days() {
        DailyDifferences known = days;
        if (known == null) {
            known = DailyDifferences.of(pair.shortLeg(), pair.longLeg(), pair.windowEndMs());
            days = known;
        }
        return known;
    }

    /** Why it is not complete; a reason that lasts precedes one that passes. */
    @Nullable
    String reason() {
        return leg(state -> !state.canBeComplete()) != null
                ? NO_SETTLED_HISTORY
                : leg(VenueState::historyBeingRead) != null ? HISTORY_BEING_READ : pair.reason();
    }

    /** The exchange that the reason is about; null where it is about the settlements of the legs. */
    @Nullable
    String reasonVenue() {
        String lasting = leg(state -> !state.canBeComplete());
        return lasting != null ? lasting : leg(VenueState::historyBeingRead);
    }

    private @Nullable String leg(Predicate<VenueState> ofVenue) {
        for (CarryLeg leg : List.of(pair.longLeg(), pair.shortLeg())) {
            VenueState state = snapshot.state(leg.venue());
            if (state != null && ofVenue.test(state)) {
                return leg.venue();
            }
        }
        return null;
    }

    private @Nullable Rate row(CarryLeg leg) {
        VenueState state = snapshot.state(leg.venue());
        EncodedRow row = state == null ? null : state.rows().find(leg.symbol());
        return row == null ? null : row.rate();
    }

    /** Null where the difference is not known. */
    @Nullable
    Long positiveDays() {
        return pair.difference() == null ? null : pair.positiveDays();
    }

    /** The sum that decides which leg is the short one; null where both are unknown and the legs are in alphabetical order. */
    @Nullable
    String orientation() {
        if (pair.difference() == null) {
            return null;
        }
        return pair.complete() ? "by_30d_sum" : "by_common_window_sum";
    }

    /** The short leg's current 8-hour rate less the long leg's; null where one of them is not known. */
    @Nullable
    BigDecimal currentDifference() {
        BigDecimal received = rate8h(pair.shortLeg());
        BigDecimal paid = rate8h(pair.longLeg());
        return received == null || paid == null ? null : received.subtract(paid);
    }

    /** The current 8-hour rate of a leg; null where it is not known. */
    @Nullable
    BigDecimal rate8h(CarryLeg leg) {
        Rate row = row(leg);
        return row == null ? null : row.fundingRate8h();
    }

    /** Whether the current difference has the sign of the sum; null where one of them is not known. */
    @Nullable
    Boolean currentDirectionAgrees() {
        BigDecimal current = currentDifference();
        BigDecimal difference = pair.difference();
        if (current == null || difference == null) {
            return null;
        }
        return current.signum() == difference.signum();
    }

    /** The short leg's mark price of one coin, divided by the long leg's; null where one of them is not known. */
    @Nullable
    BigDecimal priceRatio() {
        BigDecimal shortPrice = price(pair.shortLeg());
        BigDecimal longPrice = price(pair.longLeg());
        return shortPrice == null || longPrice == null ? null : shortPrice.divide(longPrice, RATIO);
    }

    private @Nullable BigDecimal price(CarryLeg leg) {
        Rate row = row(leg);
        return row == null || row.markPrice() == null || row.markPrice().signum() <= 0
                ? null
                : row.markPrice().divide(row.priceScale(), MathContext.DECIMAL128);
    }
}
