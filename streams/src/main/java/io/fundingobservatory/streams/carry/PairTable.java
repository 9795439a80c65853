package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the pairs of one asset: which contracts may be compared, over which days, and what the difference added up to. */
public final class PairTable {
    /** The two legs were never read within an hour of each other, or one of them has no price. */
    static final String PRICES_NOT_COMPARED = "prices_not_compared";

    private static final String PRICE_DIFFERS = "price_differs";

    private PairTable() {}

    /** One contract of the asset with its settlements. */
    public record Input(PricedContract listed, Ledger ledger) {}

    private record Candidate(PricedContract listed, Leg leg) {}

    /** The table of one asset. */
    public static CarryTable of(String asset, Collection<Input> contracts, Window window) {
        var candidates = new ArrayList<Candidate>();
        for (Input input : contracts) {
            candidates.add(new Candidate(input.listed, new Leg(input.listed.contract(), input.ledger, window)));
        }
        candidates.sort(
                Comparator.comparing(candidate -> candidate.leg.contract().key()));
        var pairs = new ArrayList<CarryPair>();
        var refused = new ArrayList<CarryRefusal>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate first = candidates.get(i);
            var firstLeg = new FirstLeg(first.leg);
            for (int j = i + 1; j < candidates.size(); j++) {
                Candidate other = candidates.get(j);
                if (!first.listed.isComparable(other.listed)) {
                    continue;
                }
                MarkComparison compared = first.listed.comparison(other.listed);
                if (compared != null && compared.differs()) {
                    refused.add(refusal(first.leg.contract().key(), compared));
                } else {
                    pairs.add(pair(firstLeg, other.leg, compared != null));
                }
            }
        }
        return new CarryTable(asset, window.startMs(), window.endMs(), pairs, refused);
    }

    private static CarryRefusal refusal(ContractKey a, MarkComparison compared) {
        ContractKey b = compared.with();
        return new CarryRefusal(
                a.venue(), a.symbol(), compared.own(), b.venue(), b.symbol(), compared.others(), PRICE_DIFFERS);
    }

    private static CarryPair pair(FirstLeg first, Leg other, boolean compared) {
        Coverage a = first.leg.coverage();
        Coverage b = other.coverage();
        int days = Math.min(a.days(), b.days());
        boolean complete = compared && days == Window.DAYS;
        String reason = complete ? null : compared ? firstReason(a, b) : PRICES_NOT_COMPARED;
        if (days == 0) {
            return new CarryPair(first.leg.over(0), other.over(0), 0, false, reason, null, null, null);
        }
        BigDecimal sumA = first.leg.sum(days);
        BigDecimal sumB = other.sum(days);
        // Ties in alphabetical order: the first leg is long.
        boolean firstIsShort = sumA.compareTo(sumB) > 0;
        Leg shortLeg = firstIsShort ? first.leg : other;
        Leg longLeg = firstIsShort ? other : first.leg;
        long positive = 0;
        for (int day = Window.DAYS - days; day < Window.DAYS; day++) {
            if (shortLeg.day(day).compareTo(longLeg.day(day)) > 0) {
                positive++;
            }
        }
        return new CarryPair(
                longLeg.over(days),
                shortLeg.over(days),
                days,
                complete,
                reason,
                Decimals.plain(shortLeg.sum(days).subtract(longLeg.sum(days))),
                positive,
                Receipt.finished(first.digest(days), other.lines(days)));
    }

    /** The reason of the leg that covers fewer days. */
    private static @Nullable String firstReason(Coverage a, Coverage b) {
        return a.days() <= b.days() && a.reason() != null ? a.reason() : b.reason();
    }

    /** The leg that sorts first of several pairs: what is hashed of it is hashed once for each length of the common window. */
    private static final class FirstLeg {
        private final Leg leg;
        private final Map<Integer, MessageDigest> begun = new HashMap<>();

        private FirstLeg(Leg leg) {
            this.leg = leg;
        }

        private MessageDigest digest(int days) {
            return begun.computeIfAbsent(days, d -> Receipt.begun(leg.lines(d)));
        }
    }
}
