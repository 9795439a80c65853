package io.fundingobservatory.oracle;

import io.fundingobservatory.oracle.KnownSettlements.Settlement;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import io.fundingobservatory.topics.records.SettledRate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Settlements that follow from raw quotes and published settlements, computed from scratch with lists and loops. */
public final class LedgerModel {
    /** A stamp that is late by less is still that of its settlement. */
    public static final long LATE_MS = 10 * 60_000;

    private static final long HOUR_MS = PairsModel.HOUR_MS;

    private final Map<ContractKey, List<Quote>> quotes = new HashMap<>();
    private final Map<ContractKey, List<SettledRate>> settled = new HashMap<>();

    private record Settled(BigDecimal rate, Basis basis, long observed) {}

    /**
     * One listing.
     *
     * @param epoch the listing number
     * @param settlements by instant, epoch ms
     * @param errors how far from each settlement, per 8 hours, the last observation was, where both are known
     */
    public record Listing(
            long epoch,
            String asset,
            Quote last,
            TreeMap<Long, Settlement> settlements,
            TreeMap<Long, BigDecimal> errors) {}

    /** Takes a quote in the order of its partition; one that is not newer than the one before changes nothing. */
    public void add(Quote quote) {
        List<Quote> observations = quotes.computeIfAbsent(quote.key(), k -> new ArrayList<>());
        if (observations.isEmpty() || observations.getLast().observedAtMs() < quote.observedAtMs()) {
            observations.add(quote);
        }
    }

    /** Takes a published settlement. */
    public void add(SettledRate published) {
        settled.computeIfAbsent(published.key(), k -> new ArrayList<>()).add(published);
    }

    /** The settlements of all listings, as {@link PairsModel} reads them. */
    public static KnownSettlements known(Map<ContractKey, Listing> listings) {
        var known = new KnownSettlements();
        listings.forEach((key, listing) -> listing.settlements.forEach((at, settlement) ->
                known.put(new KnownSettlements.Listing(key.venue(), key.symbol(), listing.epoch), at, settlement)));
        return known;
    }

    /**
     * The present listing of each contract.
     *
     * @param charges every instant at which a contract truly charged: settlements near the same one are one
     */
    public TreeMap<ContractKey, Listing> listings(Map<ContractKey, TreeSet<Long>> charges) {
        var listings = new TreeMap<ContractKey, Listing>();
        quotes.forEach((key, observations) -> {
            var othersReadIn = new TreeSet<Long>();
            quotes.forEach((other, theirs) -> {
                if (other.venue().equals(key.venue()) && !other.equals(key)) {
                    theirs.forEach(q -> othersReadIn.add(q.observedAtMs() / HOUR_MS));
                }
            });
            listings.put(
                    key, listing(observations, settled.getOrDefault(key, List.of()), othersReadIn, charges.get(key)));
        });
        return listings;
    }

    /**
     * One contract.
     *
     * @param othersReadIn the hours in which other contracts of its exchange were read
     */
    private static Listing listing(
            List<Quote> observations, List<SettledRate> settled, TreeSet<Long> othersReadIn, TreeSet<Long> charges) {
        long listingEpoch = 0;
        long since = Long.MIN_VALUE;
        var settlements = new TreeMap<Long, Settled>();
        Quote before = observations.getFirst();
        @Nullable Quote odd = null;
        for (Quote after : observations.subList(1, observations.size())) {
            long hoursWithoutIt = othersReadIn
                    .subSet(before.observedAtMs() / HOUR_MS, false, after.observedAtMs() / HOUR_MS, false)
                    .size();
            boolean same = before.base().equals(after.base()) && before.contractType() == after.contractType();
            if (!same) {
                odd = odd == null || !odd.base().equals(after.base()) ? after : odd;
            }
            boolean another = !same && after.observedAtMs() - odd.observedAtMs() >= 10 * 60_000;
            if (hoursWithoutIt > 7 * 24 || another) {
                listingEpoch++;
                since = before.observedAtMs();
                settlements.clear();
                before = after;
                odd = null;
                continue;
            }
            if (!same) {
                continue;
            }
            odd = null;
            boolean hourly = before.rateKind() == RateKind.CONTINUOUS
                    || (before.nextFundingMs() == null && before.intervalH().intValueExact() == 1);
            for (long minute = before.observedAtMs() / 60_000 + 1; minute * 60_000 <= after.observedAtMs(); minute++) {
                long at = minute * 60_000;
                boolean due =
                        hourly ? at % 3_600_000 == 0 : before.nextFundingMs() != null && before.nextFundingMs() == at;
                if (!due || at - before.observedAtMs() > 120_000 || before.rateKind() == RateKind.LAST_SETTLED) {
                    continue;
                }
                settlements.put(
                        at,
                        before.rateKind() == RateKind.CONTINUOUS
                                ? new Settled(
                                        before.rate().divide(new BigDecimal(8)), Basis.ESTIMATE, before.observedAtMs())
                                : new Settled(before.rate(), Basis.ESTIMATE, before.observedAtMs()));
            }
            before = after;
        }
        var watched = new TreeMap<>(settlements);
        var errors = new TreeMap<Long, BigDecimal>();
        for (SettledRate s : settled) {
            long at = Math.round(s.settledMs() / 60_000d) * 60_000;
            @Nullable Settled known = settlements.get(at);
            if (at > since && (known == null || known.basis != Basis.SETTLED || known.observed < s.observedAtMs())) {
                BigDecimal rate = s.rateUnit() == RateUnit.PERCENT ? s.rate().divide(new BigDecimal(100)) : s.rate();
                settlements.put(at, new Settled(rate, Basis.SETTLED, s.observedAtMs()));
                if (watched.containsKey(at)) {
                    long hours = (at - charges.lower(at)) / HOUR_MS;
                    BigDecimal off = watched.get(at).rate().subtract(rate).abs();
                    errors.put(at, off.multiply(new BigDecimal(8)).divide(new BigDecimal(hours)));
                }
            }
        }
        for (long settlement : charges) {
            var near = settlements.subMap(settlement - LATE_MS, true, settlement + LATE_MS, true);
            if (near.size() > 1) {
                long best = near.entrySet().stream()
                        .min(Comparator.comparing(e -> e.getValue().basis()))
                        .orElseThrow()
                        .getKey();
                near.keySet().removeIf(at -> at != best);
            }
        }
        var known = new TreeMap<Long, Settlement>();
        settlements.forEach((at, s) ->
                known.put(at, new Settlement(s.rate, s.basis.name().toLowerCase(Locale.ROOT), null)));
        return new Listing(listingEpoch, before.base(), observations.getLast(), known, errors);
    }
}
