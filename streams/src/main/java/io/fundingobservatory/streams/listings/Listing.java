package io.fundingobservatory.streams.listings;

import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a symbol.
 *
 * @param listingEpoch which listing of the symbol this is, counted from 0
 * @param sinceMs settlements up to this instant belong to an earlier listing, epoch ms; for the first,
 *     {@link Long#MIN_VALUE}
 * @param identity what the symbol refers to
 * @param last its newest observation under that identity
 * @param settlementBeforeMs the announced settlement that the newest observation followed, epoch ms, on a whole minute;
 *     null when that is not certain. Nothing else was settled between it and the next announced one
 * @param readMs for how long its group, or the venue, had been read at the newest observation: see {@link ReadTime}
 * @param pending another identity that the newest observations show; null when they show this one
 * @param published what the pair table knows of it
 */
public record Listing(
        long listingEpoch,
        long sinceMs,
        Identity identity,
        Observation last,
        @Nullable Long settlementBeforeMs,
        long readMs,
        @Nullable Pending pending,
        LastPublished published) {
    public static final JsonCodec<Listing> CODEC = JsonCodec.stored(Listing.class);

    /** A contract that its venue did not list for longer is another one under the same symbol. */
    static final long RELISTED_AFTER_MS = 7 * Window.DAY_MS;

    /** How long another identity must be read before it replaces the known one: a glitch is shorter. */
    static final long CONFIRMED_AFTER_MS = 10 * 60_000;

    /** An identity that is not certain yet, with the first observation that showed it and the newest one, epoch ms. */
    public record Pending(Identity identity, long sinceMs, long newestMs) {}

    /** What a new observation changes about a symbol. */
    public sealed interface Change {
        Listing listing();

        /** A first listing, or one that follows another. */
        record Listed(Listing listing, @Nullable Listing former) implements Change {}

        /** The same contract. */
        record Continued(Listing listing) implements Change {}

        /** The same contract under another asset name: listing number and settlements stay. */
        record Renamed(Listing listing, String formerAsset) implements Change {}

        /** Another identity, not long enough to believe it: for the ledger this observation says nothing. */
        record Unconfirmed(Listing listing) implements Change {}
    }

    /**
     * The symbol after an observation that is newer than {@link #observedAtMs}.
     *
     * @param readMs for how long its group, or the venue, has been read: see {@link ReadTime}
     * @param nowMs the instant as of which changed values are published again, epoch ms
     */
    public static Change next(
            @Nullable Listing known, Identity identity, Observation observation, long readMs, long nowMs) {
        if (known == null) {
            return new Change.Listed(first(0, Long.MIN_VALUE, identity, observation, readMs, nowMs), null);
        }
        // Another process may have read the group for longer than the one before it: the contract was not absent for
        // that long.
        long absentMs = Math.min(readMs - known.readMs, observation.observedAtMs() - known.observedAtMs());
        if (absentMs > RELISTED_AFTER_MS) {
            return known.relisted(identity, observation, readMs, nowMs);
        }
        if (identity.isContractOf(known.identity)) {
            Listing now = known.read(identity, observation, readMs, nowMs);
            return identity.asset().equals(known.asset())
                    ? new Change.Continued(now)
                    : new Change.Renamed(now, known.asset());
        }
        long sinceMs = known.pending != null && identity.isContractOf(known.pending.identity)
                ? known.pending.sinceMs
                : observation.observedAtMs();
        return observation.observedAtMs() - sinceMs >= CONFIRMED_AFTER_MS
                ? known.relisted(identity, observation, readMs, nowMs)
                : new Change.Unconfirmed(known.waiting(identity, sinceMs, observation.observedAtMs(), readMs));
    }

    /** A listing of which this is the first observation. */
    public static Listing first(
            long listingEpoch, long sinceMs, Identity identity, Observation observation, long readMs, long nowMs) {
        var published = new LastPublished(observation.settlesEveryH(), observation.coinPrice(), nowMs);
        return new Listing(listingEpoch, sinceMs, identity, observation, null, readMs, null, published);
    }

    private Change relisted(Identity identity, Observation observation, long readMs, long nowMs) {
        return new Change.Listed(
                first(listingEpoch + 1, last.observedAtMs(), identity, observation, readMs, nowMs), this);
    }

    private Listing read(Identity identity, Observation observation, long readMs, long nowMs) {
        Long estimate = last.settlementBefore(settlementBeforeMs, observation);
        LastPublished now = published.with(observation.closesH(estimate), observation.coinPrice(), nowMs);
        return new Listing(listingEpoch, sinceMs, identity, observation, estimate, readMs, null, now);
    }

    private Listing waiting(Identity identity, long firstMs, long newestMs, long readMs) {
        var waiting = new Pending(identity, firstMs, newestMs);
        return new Listing(listingEpoch, sinceMs, this.identity, last, settlementBeforeMs, readMs, waiting, published);
    }

    /** When the symbol was read last, under whatever identity, epoch ms. */
    public long observedAtMs() {
        return pending == null ? last.observedAtMs() : pending.newestMs;
    }

    public String asset() {
        return identity.asset();
    }

    public ContractType type() {
        return identity.type();
    }

    /**
     * What the pair table knows of a contract.
     *
     * @param intervalH hours between settlements; null when unknown
     * @param coinPrice price per coin; null when unknown
     * @param atMs since when, epoch ms
     */
    public record LastPublished(
            @Nullable BigDecimal intervalH, @Nullable BigDecimal coinPrice, long atMs) {
        /** The first price is published, and then the first one of each hour; a contract without a price once a day. */
        private LastPublished with(@Nullable BigDecimal intervalNowH, @Nullable BigDecimal priceNow, long nowMs) {
            boolean due = priceNow == null
                    ? nowMs - atMs >= Window.DAY_MS
                    : coinPrice == null || Math.floorDiv(nowMs, Window.HOUR_MS) > Math.floorDiv(atMs, Window.HOUR_MS);
            return Decimals.same(intervalH, intervalNowH) && !due
                    ? this
                    : new LastPublished(intervalNowH, priceNow, nowMs);
        }
    }
}
