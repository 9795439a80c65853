package io.fundingobservatory.streams.topology;

import io.fundingobservatory.streams.listings.Listing;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the ledgers must hold, computed from scratch from everything that has arrived so far. It uses lists
 * and loops, nothing of what is under test.
 */
final class PlainLedgers {
    record Settled(BigDecimal rate, Basis basis, long observed) {}

    /** One listing: which, of what, what it paid, and how far from that, per 8 hours, the last observation was where both are known. */
    record Listing(
            long listingEpoch,
            String asset,
            Quote last,
            TreeMap<Long, Settled> settlements,
            TreeMap<Long, BigDecimal> errors) {}

    private PlainLedgers() {}

    /** A stamp that is late by less is still that of its settlement. */
    static final long LATE_MS = 10 * 60_000;

    /**
     * The ledgers of what has arrived.
     *
     * @param charges every instant at which a contract truly charged: settlements near the same one are one
     */
    static TreeMap<ContractKey, Listing> of(
            List<SimulatedMarket.Event> events, Map<ContractKey, TreeSet<Long>> charges) {
        var quotes = new HashMap<ContractKey, List<Quote>>();
        var settled = new HashMap<ContractKey, List<SettledRate>>();
        for (var event : events) {
            if (event.quote() == null) {
                settled.computeIfAbsent(event.settled().key(), k -> new ArrayList<>())
                        .add(event.settled());
            } else {
                var observations = quotes.computeIfAbsent(event.quote().key(), k -> new ArrayList<>());
                if (observations.isEmpty()
                        || observations.getLast().observedAtMs() < event.quote().observedAtMs()) {
                    observations.add(event.quote());
                }
            }
        }
        var ledgers = new TreeMap<ContractKey, Listing>();
        quotes.forEach((key, observations) -> {
            var othersReadIn = new TreeSet<Long>();
            quotes.forEach((other, theirs) -> {
                if (other.venue().equals(key.venue()) && !other.equals(key)) {
                    theirs.forEach(q -> othersReadIn.add(q.observedAtMs() / SimulatedMarket.HOUR));
                }
            });
            ledgers.put(
                    key, listing(observations, settled.getOrDefault(key, List.of()), othersReadIn, charges.get(key)));
        });
        return ledgers;
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
        Quote odd = null;
        for (Quote after : observations.subList(1, observations.size())) {
            long hoursWithoutIt = othersReadIn
                    .subSet(
                            before.observedAtMs() / SimulatedMarket.HOUR,
                            false,
                            after.observedAtMs() / SimulatedMarket.HOUR,
                            false)
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
            Settled known = settlements.get(at);
            if (at > since && (known == null || known.basis != Basis.SETTLED || known.observed < s.observedAtMs())) {
                BigDecimal rate = s.rateUnit() == RateUnit.PERCENT ? s.rate().divide(new BigDecimal(100)) : s.rate();
                settlements.put(at, new Settled(rate, Basis.SETTLED, s.observedAtMs()));
                if (watched.containsKey(at)) {
                    long hours = (at - charges.lower(at)) / SimulatedMarket.HOUR;
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
        return new Listing(listingEpoch, before.base(), observations.getLast(), settlements, errors);
    }
}
