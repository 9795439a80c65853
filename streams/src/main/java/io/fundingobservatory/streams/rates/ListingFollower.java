package io.fundingobservatory.streams.rates;

import io.fundingobservatory.streams.listings.Identity;
import io.fundingobservatory.streams.listings.Listing;
import io.fundingobservatory.streams.listings.Observation;
import io.fundingobservatory.streams.listings.PassedSettlement;
import io.fundingobservatory.streams.listings.ReadTime;
import io.fundingobservatory.streams.processing.StreamsMetrics;
import io.fundingobservatory.streams.processing.StreamsMetrics.Count;
import io.fundingobservatory.streams.settlements.ContractSettlements;
import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows a contract from one observation to the next: which listing it is, and which settlements took place. */
final class ListingFollower {
    private final StreamsMetrics metrics;
    private final ReadTime readTime;

    /** {@code readTime} is the same for all tasks of the process. */
    ListingFollower(StreamsMetrics metrics, ReadTime readTime) {
        this.metrics = metrics;
        this.readTime = readTime;
    }

    /** Takes up a stored contract, after a start. */
    void restore(ContractKey key, Listing listing) {
        readTime.restore(key, listing);
    }

    /** A contract after an observation, and what the pair table has to know of it, in order. */
    record Followed(Listing listing, List<ContractEvent> events) {}

    /**
     * Follows one observation.
     *
     * @param known the contract before it; null before its first quote
     * @param base the venue's own spelling of the coin
     * @param arrivedMs when the broker took the quote, epoch ms
     */
    Followed follow(@Nullable Listing known, String base, Rate rate, long arrivedMs) {
        Observation observation = Observation.of(rate);
        Identity identity = Identity.of(base, rate);
        long readMs = readTime.at(rate.key(), identity, rate.observedAtMs());
        Listing.Change change = Listing.next(known, identity, observation, readMs, arrivedMs);
        var events = new ArrayList<ContractEvent>();
        switch (change) {
            case Listing.Change.Listed(Listing listing, Listing former) -> {
                String formerAsset = former == null ? null : former.asset();
                if (!listing.asset().equals(formerAsset)) {
                    events.add(ContractEvents.moved(rate.key(), formerAsset, listing));
                }
                events.add(ContractEvents.listed(rate.key(), listing));
                return new Followed(listing, events);
            }
            case Listing.Change.Renamed(Listing listing, String formerAsset) -> {
                cameDue(known, rate, observation, arrivedMs, events);
                events.add(ContractEvents.moved(rate.key(), formerAsset, listing));
                events.add(ContractEvents.listed(rate.key(), listing));
            }
            case Listing.Change.Continued(Listing listing) -> {
                cameDue(known, rate, observation, arrivedMs, events);
                if (known != null && !listing.published().equals(known.published())) {
                    events.add(ContractEvents.listed(rate.key(), listing));
                }
            }
            case Listing.Change.Unconfirmed unconfirmed -> {} // not for the ledger until it has stood for ten minutes
        }
        return new Followed(change.listing(), events);
    }

    private void cameDue(
            @Nullable Listing known, Rate rate, Observation observation, long arrivedMs, List<ContractEvent> events) {
        if (known == null) {
            return;
        }
        for (PassedSettlement due : PassedSettlement.between(known, observation)) {
            if (due.settledMs() <= known.sinceMs() || due.settledMs() < oldestMs(arrivedMs, known)) {
                metrics.count(Count.LATE);
                continue;
            }
            KnownSettlement estimate = due.estimate();
            if (estimate != null) {
                events.add(ContractEvents.settlement(rate.key(), known, estimate, due.announcedMs()));
                continue;
            }
            metrics.count(Count.MISSED);
            events.add(ContractEvent.expected(
                    rate.key(),
                    known.asset(),
                    known.listingEpoch(),
                    due.settledMs(),
                    due.intervalH(),
                    rate.observedAtMs()));
        }
    }

    /**
     * The oldest settlement that is taken, epoch ms.
     *
     * @param arrivedMs when the broker took the record, epoch ms
     * @param listing the newest observation of the contract; null before the first
     */
    static long oldestMs(long arrivedMs, @Nullable Listing listing) {
        long newestMs = listing == null ? arrivedMs : Math.max(arrivedMs, listing.observedAtMs());
        return Math.max(0, newestMs - ContractSettlements.KEPT_MS);
    }
}
