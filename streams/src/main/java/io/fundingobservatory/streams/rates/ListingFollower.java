package io.fundingobservatory.streams.rates;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Observation;
import io.fundingobservatory.streams.carry.PassedSettlement;
import io.fundingobservatory.streams.carry.ReadTime;
import io.fundingobservatory.streams.clock.BrokerClock;
import io.fundingobservatory.streams.core.StreamsMetrics;
import io.fundingobservatory.streams.core.StreamsMetrics.Count;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.LedgerSettlement;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows a contract from one observation to the next: which listing it is, and which settlements took place. */
final class ListingFollower {
    private final StreamsMetrics metrics;
    private final BrokerClock clock;
    private final ReadTime readTime;

    /** {@code readTime} is the same for all tasks of the process; it takes up the states of these contracts. */
    ListingFollower(StreamsMetrics metrics, BrokerClock clock, ReadTime readTime, ContractStates contracts) {
        this.metrics = metrics;
        this.clock = clock;
        this.readTime = readTime;
        contracts.forEach((key, state) -> {
            Listing listing = state.listing();
            if (listing != null) {
                readTime.restore(ContractKey.parse(new String(key, UTF_8)), listing);
            }
        });
    }

    /** A contract after an observation, and what the pair table has to know of it, in order. */
    record Followed(Listing listing, List<ContractEvent> events) {}

    /**
     * Follows one observation.
     *
     * @param known the contract before it; null before its first quote
     * @param restored what the published ledger knows of a contract without a quote; null when it knows nothing
     * @param base the venue's own spelling of the coin
     * @param arrivedMs when the broker took the quote, epoch ms
     */
    Followed follow(
            @Nullable Listing known,
            ContractState.@Nullable Restored restored,
            String base,
            Rate rate,
            long arrivedMs) {
        Observation observation = Observation.of(rate);
        Identity identity = Identity.of(base, rate);
        long readMs = readTime.at(rate.key(), identity, rate.observedAtMs());
        Listing.Change change = Listing.next(known, identity, observation, readMs, arrivedMs);
        var events = new ArrayList<ContractEvent>();
        switch (change) {
            case Listing.Change.Listed(Listing first, Listing former) -> {
                Listing listing = restored == null ? first : after(restored, first);
                String formerAsset = restored != null ? restored.asset() : former == null ? null : former.asset();
                if (!listing.asset().equals(formerAsset)) {
                    events.add(ContractEvents.moved(rate.key(), formerAsset, listing));
                }
                events.add(ContractEvents.listed(rate.key(), listing));
                return new Followed(listing, events);
            }
            case Listing.Change.Renamed(Listing listing, String formerAsset) -> {
                cameDue(known, rate, observation, events);
                events.add(ContractEvents.moved(rate.key(), formerAsset, listing));
                events.add(ContractEvents.listed(rate.key(), listing));
            }
            case Listing.Change.Continued(Listing listing) -> {
                cameDue(known, rate, observation, events);
                if (known != null && !listing.published().equals(known.published())) {
                    events.add(ContractEvents.listed(rate.key(), listing));
                }
            }
            case Listing.Change.Unconfirmed unconfirmed -> {} // not for the ledger until it has stood for ten minutes
        }
        return new Followed(change.listing(), events);
    }

    private void cameDue(@Nullable Listing known, Rate rate, Observation observation, List<ContractEvent> events) {
        if (known == null) {
            return;
        }
        for (PassedSettlement due : PassedSettlement.between(known, observation)) {
            if (due.settledMs() <= known.sinceMs() || due.settledMs() < oldestMs(clock, known)) {
                metrics.count(Count.LATE);
                continue;
            }
            LedgerSettlement estimate = due.estimate();
            if (estimate != null) {
                events.add(ContractEvents.settlement(rate.key(), ListedAsset.of(known), estimate, due.announcedMs()));
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

    /** The listing of a contract's first quote where so far only the published ledger knows the contract. */
    private static Listing after(ContractState.Restored restored, Listing first) {
        return first.asset().equals(restored.asset())
                ? first.numbered(restored.listingEpoch(), restored.sinceMs())
                : first.numbered(restored.listingEpoch() + 1, restored.newestMs());
    }

    /**
     * The oldest settlement that is taken, epoch ms. It is derived from the newest time that is known, so that
     * records that are read again bring back nothing that was deleted. A rejected settlement is never requested
     * again. So an uncertain time rejects none, nor does one that only the brokers or only this process believe.
     *
     * @param listing the newest observation of the contract; null before the first
     */
    static long oldestMs(BrokerClock clock, @Nullable Listing listing) {
        long agreed = clock.certain() ? Math.min(clock.nowMs(), clock.ownMs()) : 0;
        long newest = listing == null ? agreed : Math.max(agreed, listing.observedAtMs());
        return Math.max(0, newest - Ledger.KEPT_MS);
    }
}
