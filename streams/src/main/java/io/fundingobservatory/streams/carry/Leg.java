package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.HistoryReach;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.Basis;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One contract's funding in the window: day by day, so that any common window of whole days is a sum of days. */
final class Leg {
    private final PricedContract listed;
    private final Contract contract;
    /** Up to T; close stamps are merged, also with those after T. */
    private final List<KnownSettlement> settlements;

    private final Window window;
    private final Coverage coverage;
    private final BigDecimal[] byDay = new BigDecimal[Window.DAYS];
    private final @Nullable RatePercentiles percentiles;
    /** A leg is in many pairs, whose common windows have few lengths: what a length gives is computed once. */
    private final Map<Integer, CarryLeg> shown = new HashMap<>();

    private final Map<Integer, byte[]> lines = new HashMap<>();

    Leg(PricedContract listed, ContractSettlements known, Window window) {
        this.listed = listed;
        this.contract = listed.contract();
        this.window = window;
        List<KnownSettlement> all = known.settlements();
        int settled = all.size();
        while (settled > 0 && all.get(settled - 1).settledMs() > window.endMs()) {
            settled--;
        }
        this.settlements = all.subList(0, settled);
        KnownSettlement next = settled < all.size() ? all.get(settled) : null;
        HistoryReach reach = ListedVenue.isListed(contract.key().venue())
                ? ListedVenue.of(contract.key().venue()).historyReach()
                : HistoryReach.WHOLE;
        this.coverage = Coverage.of(
                contract,
                Gaps.of(settlements, next, known.announced(), window, contract.currentIntervalMs()),
                window,
                newestPublishedMs(all),
                reach);
        this.percentiles = coverage.days() < Window.DAYS
                ? null
                : RatesByTime.percentiles(
                        settlements,
                        settlements.size() - settlements(Window.DAYS).size());
        Arrays.fill(byDay, BigDecimal.ZERO);
        for (KnownSettlement settlement : settlements(Window.DAYS)) {
            int day = window.dayOf(settlement.settledMs());
            byDay[day] = byDay[day].add(settlement.rate());
        }
    }

    private static long newestPublishedMs(List<KnownSettlement> settlements) {
        return settlements.reversed().stream()
                .filter(settlement -> settlement.basis() != Basis.ESTIMATE)
                .mapToLong(KnownSettlement::settledMs)
                .findFirst()
                .orElse(Long.MIN_VALUE);
    }

    PricedContract listed() {
        return listed;
    }

    Contract contract() {
        return contract;
    }

    Coverage coverage() {
        return coverage;
    }

    BigDecimal day(int day) {
        return byDay[day];
    }

    /** The sum over the last so many days. */
    BigDecimal sum(int days) {
        return Arrays.stream(byDay, Window.DAYS - days, Window.DAYS).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** The receipt over the last so many days with a leg that sorts after this one. */
    String receipt(int days, Leg other) {
        return Receipt.of(lines(days), other.lines(days));
    }

    private byte[] lines(int days) {
        return lines.computeIfAbsent(days, d -> Receipt.lines(contract, settlements(d)));
    }

    private List<KnownSettlement> settlements(int days) {
        long startMs = window.startMs(days);
        int from = settlements.size();
        while (from > 0 && settlements.get(from - 1).settledMs() > startMs) {
            from--;
        }
        return settlements.subList(from, settlements.size());
    }

    /** The leg as published, over the last so many days; an empty window has counts over all 30, and no sum. */
    CarryLeg over(int days) {
        return shown.computeIfAbsent(days, this::show);
    }

    private CarryLeg show(int days) {
        int counted = days == 0 ? Window.DAYS : days;
        List<KnownSettlement> settlements = settlements(counted);
        long missing = days == 0 ? coverage.missing() : 0; // within the common days there is no gap
        long estimated =
                settlements.stream().filter(p -> p.basis() == Basis.ESTIMATE).count();
        KnownSettlement first = settlements.isEmpty() ? null : settlements.getFirst();
        KnownSettlement last = settlements.isEmpty() ? null : settlements.getLast();
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
                settlements.stream()
                        .map(KnownSettlement::basis)
                        .max(Comparator.naturalOrder())
                        .orElse(null),
                DailySums.of(Arrays.stream(byDay, Window.DAYS - days, Window.DAYS)
                        .map(Decimals::plain)
                        .toList()),
                percentiles);
    }
}
