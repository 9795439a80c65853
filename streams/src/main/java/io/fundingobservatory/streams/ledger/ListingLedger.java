package io.fundingobservatory.streams.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.streams.carry.DueSettlement;
import io.fundingobservatory.streams.carry.Identity;
import io.fundingobservatory.streams.carry.Listing;
import io.fundingobservatory.streams.carry.Reading;
import io.fundingobservatory.streams.carry.VenueReadTime;
import io.fundingobservatory.streams.formats.ContractState;
import io.fundingobservatory.streams.payments.Payment;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What a new reading means for the ledger of its contract: payments that came due, and what the ticker now stands for. */
public final class ListingLedger {
    private final ContractLedger ledger;
    private final VenueReadTime readTime = new VenueReadTime();

    /** With the time for which each exchange had been read by what the contracts' states say. */
    public ListingLedger(ContractLedger ledger, ContractStates contracts) {
        this.ledger = ledger;
        contracts.forEach((key, state) -> {
            Listing listing = state.listing();
            if (listing != null) {
                readTime.restore(ContractKey.parse(new String(key, UTF_8)).venue(), listing);
            }
        });
    }

    /** The contract with its newest reading; what came due since the one before goes into the ledger. */
    public Listing follow(
            @Nullable Listing known,
            ContractState.@Nullable Restored restored,
            String base,
            Rate rate,
            long arrivedMs) {
        Reading reading = Reading.of(rate);
        long readMs = readTime.at(rate.venue(), rate.observedAtMs());
        Listing.Change change = Listing.next(known, Identity.of(base, rate), reading, readMs, arrivedMs);
        Listing now = change.listing();
        switch (change) {
            case Listing.Change.Listed(Listing listing, Listing former) -> {
                if (restored != null) {
                    return restored(restored, listing, reading, readMs, arrivedMs);
                }
                list(listing, former == null ? listing.asset() : former.asset());
            }
            case Listing.Change.Renamed(Listing listing, String formerAsset) -> {
                cameDue(known, rate.observedAtMs());
                list(listing, formerAsset);
            }
            case Listing.Change.Continued continued -> {
                cameDue(known, rate.observedAtMs());
                if (known != null && !now.published().equals(known.published())) {
                    ledger.listed(now);
                }
            }
            case Listing.Change.Unconfirmed unconfirmed -> {} // not for the ledger until it has stood for ten minutes
        }
        return now;
    }

    private void cameDue(@Nullable Listing known, long observedAtMs) {
        if (known == null) {
            return;
        }
        for (DueSettlement due : DueSettlement.between(known, observedAtMs)) {
            switch (due) {
                case DueSettlement.Charged(Payment payment, long announcedMs) ->
                    ledger.enter(TickerIdentity.of(known), known, payment, announcedMs);
                case DueSettlement.Missing(long settledMs, BigDecimal intervalH) ->
                    ledger.expect(known, settledMs, intervalH);
            }
        }
    }

    private void list(Listing listing, String formerAsset) {
        if (!formerAsset.equals(listing.asset())) {
            ledger.removed(formerAsset);
        }
        ledger.listed(listing);
        ledger.adopt(listing);
    }

    /** The first quote of a ticker that so far only the published ledger tells of. */
    private Listing restored(
            ContractState.Restored restored, Listing read, Reading reading, long readMs, long arrivedMs) {
        boolean same = restored.asset().equals(read.asset());
        Listing listing = Listing.first(
                same ? restored.epoch() : restored.epoch() + 1,
                same ? restored.sinceMs() : restored.newestMs(),
                read.identity(),
                reading,
                readMs,
                arrivedMs);
        ledger.listed(listing);
        if (same) {
            ledger.tellRestored(listing);
        } else {
            ledger.adopt(listing);
        }
        return listing;
    }
}
