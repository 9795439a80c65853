package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.carry.PricedContract.MarkComparison;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the pairs of one asset: which contracts may be compared, over which days, and what the difference added up to. */
public final class PairTable {
    /** The two legs were never read within an hour of each other, or one of them has no price. */
    static final String PRICES_NOT_COMPARED = "prices_not_compared";

    private static final String PRICE_DIFFERS = "price_differs";

    private PairTable() {}

    /** One contract of the asset with its settlements. */
    public record Input(PricedContract listed, ContractSettlements known) {}

    public static CarryTable of(String asset, Collection<Input> contracts, Window window) {
        List<Leg> legs = contracts.stream()
                .map(input -> new Leg(input.listed, input.known, window))
                .sorted(Comparator.comparing(leg -> leg.contract().key()))
                .toList();
        var pairs = new ArrayList<CarryPair>();
        var refused = new ArrayList<CarryRefusal>();
        for (int i = 0; i < legs.size(); i++) {
            Leg first = legs.get(i);
            for (Leg other : legs.subList(i + 1, legs.size())) {
                if (!first.listed().isComparable(other.listed())) {
                    continue;
                }
                MarkComparison compared = first.listed().comparison(other.listed());
                if (compared != null && compared.differs()) {
                    refused.add(refusal(first.contract().key(), compared));
                } else {
                    pairs.add(pair(first, other, compared != null));
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

    private static CarryPair pair(Leg first, Leg other, boolean compared) {
        Coverage a = first.coverage();
        Coverage b = other.coverage();
        int days = Math.min(a.days(), b.days());
        boolean complete = compared && days == Window.DAYS;
        String reason = complete ? null : compared ? firstReason(a, b) : PRICES_NOT_COMPARED;
        if (days == 0) {
            return new CarryPair(first.over(0), other.over(0), 0, false, reason, null, null, null);
        }
        BigDecimal sumA = first.sum(days);
        BigDecimal sumB = other.sum(days);
        // Ties in alphabetical order: the first leg is long.
        boolean firstIsShort = sumA.compareTo(sumB) > 0;
        Leg shortLeg = firstIsShort ? first : other;
        Leg longLeg = firstIsShort ? other : first;
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
                first.receipt(days, other));
    }

    /** The reason of the leg that covers fewer days. */
    private static @Nullable String firstReason(Coverage a, Coverage b) {
        return a.days() <= b.days() && a.reason() != null ? a.reason() : b.reason();
    }
}
