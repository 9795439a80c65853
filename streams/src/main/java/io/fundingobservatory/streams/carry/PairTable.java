package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.streams.payments.Ledger;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractType;
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
    /** Two prices within this ratio of each other are one coin. */
    private static final BigDecimal SAME_COIN_RATIO = new BigDecimal("1.05");

    private static final String PRICE_DIFFERS = "price_differs";
    private static final String PRICE_UNKNOWN = "price_unknown";

    private PairTable() {}

    /**
     * One contract of the asset.
     *
     * @param active whether it is still read: the last price of another is not compared
     */
    public record Input(Contract contract, Ledger ledger, boolean active) {}

    /** The table of one asset. */
    public static CarryTable of(String asset, Collection<Input> contracts, Window window) {
        var legs = new ArrayList<Leg>();
        for (Input input : contracts) {
            legs.add(new Leg(input.contract, input.ledger, input.active, window));
        }
        legs.sort(Comparator.comparing(leg -> leg.contract().key()));
        var pairs = new ArrayList<CarryPair>();
        var refused = new ArrayList<CarryRefusal>();
        for (int i = 0; i < legs.size(); i++) {
            var first = new FirstLeg(legs.get(i));
            for (int j = i + 1; j < legs.size(); j++) {
                Leg other = legs.get(j);
                if (!comparable(first.leg.contract(), other.contract())) {
                    continue;
                }
                String reason =
                        first.leg.active() && other.active() ? refusal(first.leg.contract(), other.contract()) : null;
                if (reason == null) {
                    pairs.add(pair(first, other));
                } else {
                    refused.add(refusal(first.leg.contract(), other.contract(), reason));
                }
            }
        }
        return new CarryTable(asset, window.startMs(), window.endMs(), pairs, refused);
    }

    /** Whether prices forbid, or do not yet allow, any comparison of a contract with one of these. */
    static boolean refusesAny(Contract contract, Collection<Contract> others) {
        return others.stream().anyMatch(other -> comparable(contract, other) && refusal(contract, other) != null);
    }

    private static boolean comparable(Contract a, Contract b) {
        return !a.key().venue().equals(b.key().venue()) && a.type() == b.type() && a.type() != ContractType.QUANTO;
    }

    private static @Nullable String refusal(Contract a, Contract b) {
        BigDecimal priceA = a.coinPrice();
        BigDecimal priceB = b.coinPrice();
        if (priceA == null || priceB == null) {
            return PRICE_UNKNOWN;
        }
        BigDecimal higher = priceA.max(priceB);
        BigDecimal lower = priceA.min(priceB);
        return higher.compareTo(lower.multiply(SAME_COIN_RATIO)) > 0 ? PRICE_DIFFERS : null;
    }

    private static CarryRefusal refusal(Contract a, Contract b, String reason) {
        return new CarryRefusal(
                a.key().venue(),
                a.key().symbol(),
                a.coinPrice(),
                b.key().venue(),
                b.key().symbol(),
                b.coinPrice(),
                reason);
    }

    private static CarryPair pair(FirstLeg first, Leg other) {
        Coverage a = first.leg.coverage();
        Coverage b = other.coverage();
        int days = Math.min(a.days(), b.days());
        boolean complete = days == Window.DAYS;
        String reason = complete ? null : a.days() <= b.days() && a.reason() != null ? a.reason() : b.reason();
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
