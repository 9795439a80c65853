package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One contract's funding in the window: day by day, so that any common window of whole days is a sum of days. */
final class Leg {
    private final Contract contract;
    /** Up to T; close stamps are merged, also with those after T. */
    private final List<LedgerSettlement> settlements;

    private final Window window;
    private final Coverage coverage;
    private final BigDecimal[] byDay = new BigDecimal[Window.DAYS];
    /**
     * The leg by length of the window in days, each computed once: a leg is in many pairs, whose common
     * windows have few lengths.
     */
    private final @Nullable CarryLeg[] shown = new CarryLeg[Window.DAYS + 1];

    private final byte[] @Nullable [] lines = new byte[Window.DAYS + 1][];
    private final @Nullable BigDecimal[] sums = new BigDecimal[Window.DAYS + 1];

    /** A contract with its settlements. */
    Leg(Contract contract, Ledger ledger, Window window) {
        this.contract = contract;
        this.window = window;
        List<LedgerSettlement> all = ledger.settlements();
        int known = all.size();
        while (known > 0 && all.get(known - 1).settledMs() > window.endMs()) {
            known--;
        }
        this.settlements = all.subList(0, known);
        LedgerSettlement next = known < all.size() ? all.get(known) : null;
        HistoryReach reach = ListedVenue.isListed(contract.key().venue())
                ? ListedVenue.of(contract.key().venue()).historyReach()
                : HistoryReach.WHOLE;
        this.coverage = Coverage.of(
                contract,
                new Gaps(settlements, next, ledger.announced(), window, contract.currentIntervalMs()),
                window,
                newestPublishedMs(all),
                reach);
        Arrays.fill(byDay, BigDecimal.ZERO);
        for (LedgerSettlement settlement : settlements(Window.DAYS)) {
            int day = window.dayOf(settlement.settledMs());
            byDay[day] = byDay[day].add(settlement.rate());
        }
    }

    private static long newestPublishedMs(List<LedgerSettlement> settlements) {
        for (LedgerSettlement settlement : settlements.reversed()) {
            if (settlement.basis() != Basis.ESTIMATE) {
                return settlement.settledMs();
            }
        }
        return Long.MIN_VALUE;
    }

    Contract contract() {
        return contract;
    }

    Coverage coverage() {
        return coverage;
    }

    /** What was charged on one of the 30 days. */
    BigDecimal day(int day) {
        return byDay[day];
    }

    /** The sum over the last so many days. */
    BigDecimal sum(int days) {
        BigDecimal made = sums[days];
        if (made != null) {
            return made;
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (int day = Window.DAYS - days; day < Window.DAYS; day++) {
            sum = sum.add(byDay[day]);
        }
        sums[days] = sum;
        return sum;
    }

    /** The lines of a receipt over the last so many days. */
    byte[] lines(int days) {
        byte @Nullable [] made = lines[days];
        if (made == null) {
            made = Receipt.lines(contract, settlements(days));
            lines[days] = made;
        }
        return made;
    }

    private List<LedgerSettlement> settlements(int days) {
        long startMs = window.startMs(days);
        int from = settlements.size();
        while (from > 0 && settlements.get(from - 1).settledMs() > startMs) {
            from--;
        }
        return settlements.subList(from, settlements.size());
    }

    /** The leg as published, over the last so many days; an empty window has counts over all 30, and no sum. */
    CarryLeg over(int days) {
        CarryLeg made = shown[days];
        if (made == null) {
            made = show(days);
            shown[days] = made;
        }
        return made;
    }

    private CarryLeg show(int days) {
        int counted = days == 0 ? Window.DAYS : days;
        List<LedgerSettlement> settlements = settlements(counted);
        long missing = days == 0 ? coverage.missing() : 0; // within the common days there is no gap
        long estimated =
                settlements.stream().filter(p -> p.basis() == Basis.ESTIMATE).count();
        @Nullable LedgerSettlement first = null;
        @Nullable LedgerSettlement last = null;
        @Nullable Basis weakest = null;
        for (LedgerSettlement settlement : settlements) {
            first = first == null ? settlement : first;
            last = settlement;
            weakest = weakest == null || settlement.basis().compareTo(weakest) > 0 ? settlement.basis() : weakest;
        }
        return new CarryLeg(
                contract.key().venue(),
                contract.key().symbol(),
                contract.listingEpoch(),
                contract.quote(),
                days == 0 ? null : Decimals.plain(sum(days)),
                settlements.size(),
                settlements.size() + missing,
                estimated,
                first == null ? null : first.settledMs(),
                last == null ? null : last.settledMs(),
                last == null || last.intervalH() == null ? contract.currentIntervalH() : last.intervalH(),
                weakest,
                dailySums(days));
    }

    private DailySums dailySums(int days) {
        return DailySums.of(Arrays.stream(byDay, Window.DAYS - days, Window.DAYS)
                .map(Decimals::plain)
                .toList());
    }
}
