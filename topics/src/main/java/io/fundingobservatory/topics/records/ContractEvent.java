package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What the pair table of an asset needs of one contract. The application {@code rates} writes these
 * events, keyed by asset. The application {@code pairs} reads them, and writes the settlements of a contract that gets another asset.
 * Fields that a kind does not name are null.
 *
 * @param kind what happened
 * @param asset the normalised asset name, which is also the key. Null for the settlements of a contract
 *     without a quote; their key is {@code venue|symbol}
 * @param venue the venue's identifier
 * @param symbol the venue's own spelling of the contract
 * @param listingEpoch which listing of the symbol, counted from 0
 * @param listedSinceMs settlements up to this instant belong to an earlier listing, epoch ms UTC; null for the
 *     first listing
 * @param quote of a listing: the currency of the prices
 * @param contractType of a listing: how the contract is margined
 * @param fundingIntervalH of a listing: the present funding interval; of a settlement: the interval that it
 *     closed. Hours; null when unknown
 * @param coinPrice of a listing: price per coin, in quote currency; null when unknown
 * @param settledMs of a settlement: its instant, epoch ms UTC, on a whole minute
 * @param settledRawMs of a settlement: the same instant as the venue published it, epoch ms UTC
 * @param fundingRate of a settlement: fraction of notional; longs pay shorts when positive
 * @param basis of a settlement: how it is known
 * @param movedTo of a removal: the asset that the contract belongs to from now on; null when it belongs to none
 * @param observedAtMs when the rate or price was observed, epoch ms UTC
 */
public record ContractEvent(
        Kind kind,
        @Nullable String asset,
        String venue,
        String symbol,
        long listingEpoch,
        @Nullable Long listedSinceMs,
        @Nullable String quote,
        @Nullable ContractType contractType,
        @Nullable BigDecimal fundingIntervalH,
        @Nullable BigDecimal coinPrice,
        @Nullable Long settledMs,
        @Nullable Long settledRawMs,
        @Nullable BigDecimal fundingRate,
        @Nullable Basis basis,
        @Nullable String movedTo,
        long observedAtMs) {

    /** What an event reports. */
    public enum Kind {
        /** The contract is listed, or its price or funding interval changed, or an hour has passed. */
        LISTED,
        /** The contract belongs to the asset no more. */
        REMOVED,
        /** A settlement is known, as published by the venue or as estimated from our last observation. */
        SETTLEMENT,
        /** A settlement came due that no observation gives a rate for. */
        EXPECTED
    }

    public static final JsonCodec<ContractEvent> CODEC = JsonCodec.<ContractEvent>of("contract-event", 1)
            .word("kind", Kind.class, ContractEvent::kind)
            .textOrNull("asset", ContractEvent::asset)
            .text("venue", ContractEvent::venue)
            .text("symbol", ContractEvent::symbol)
            .integer("listing_epoch", ContractEvent::listingEpoch)
            .integerOrNull("listed_since_ms", ContractEvent::listedSinceMs)
            .textOrNull("quote", ContractEvent::quote)
            .wordOrNull("contract_type", ContractType.class, ContractEvent::contractType)
            .decimalOrNull("funding_interval_h", ContractEvent::fundingIntervalH)
            .decimalOrNull("coin_price", ContractEvent::coinPrice)
            .integerOrNull("settled_ms", ContractEvent::settledMs)
            .integerOrNull("settled_raw_ms", ContractEvent::settledRawMs)
            .decimalOrNull("funding_rate", ContractEvent::fundingRate)
            .wordOrNull("basis", Basis.class, ContractEvent::basis)
            .textOrNull("moved_to", ContractEvent::movedTo)
            .integer("observed_at_ms", ContractEvent::observedAtMs)
            .build(f -> new ContractEvent(
                    f.word("kind", Kind.class),
                    f.textOrNull("asset"),
                    f.text("venue"),
                    f.text("symbol"),
                    f.integer("listing_epoch"),
                    f.integerOrNull("listed_since_ms"),
                    f.textOrNull("quote"),
                    f.wordOrNull("contract_type", ContractType.class),
                    f.decimalOrNull("funding_interval_h"),
                    f.decimalOrNull("coin_price"),
                    f.integerOrNull("settled_ms"),
                    f.integerOrNull("settled_raw_ms"),
                    f.decimalOrNull("funding_rate"),
                    f.wordOrNull("basis", Basis.class),
                    f.textOrNull("moved_to"),
                    f.integer("observed_at_ms")));

    /**
     * A contract is listed, with its present price and funding interval.
     *
     * @param sinceMs settlements up to this instant belong to an earlier listing, epoch ms UTC; null for the first
     * @param intervalH the funding interval, hours; null when unknown
     * @param coinPrice price per coin, in quote currency; null when unknown
     */
    public static ContractEvent listed(
            ContractKey key,
            String asset,
            long epoch,
            @Nullable Long sinceMs,
            String quote,
            ContractType type,
            @Nullable BigDecimal intervalH,
            @Nullable BigDecimal coinPrice,
            long observedAtMs) {
        return new ContractEvent(
                Kind.LISTED,
                asset,
                key.venue(),
                key.symbol(),
                epoch,
                sinceMs,
                quote,
                type,
                intervalH,
                coinPrice,
                null,
                null,
                null,
                null,
                null,
                observedAtMs);
    }

    /**
     * A contract leaves an asset.
     *
     * @param asset null where its settlements came before its first quote
     * @param sinceMs settlements up to this instant stay behind, epoch ms UTC; null where all move
     * @param movedTo its asset from now on; null when it has none
     */
    public static ContractEvent removed(
            ContractKey key,
            @Nullable String asset,
            long epoch,
            @Nullable Long sinceMs,
            @Nullable String movedTo,
            long observedAtMs) {
        return new ContractEvent(
                Kind.REMOVED,
                asset,
                key.venue(),
                key.symbol(),
                epoch,
                sinceMs,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                movedTo,
                observedAtMs);
    }

    /**
     * A settlement is known.
     *
     * @param asset null before the contract's first quote
     * @param settledMs its instant, epoch ms UTC, on a whole minute
     * @param rawMs the same instant as the venue published it, epoch ms UTC
     * @param rate fraction of notional; longs pay shorts when positive
     * @param intervalH the interval that it closed, hours; null when unknown
     */
    public static ContractEvent settlement(
            ContractKey key,
            @Nullable String asset,
            long epoch,
            long settledMs,
            long rawMs,
            BigDecimal rate,
            Basis basis,
            @Nullable BigDecimal intervalH,
            long observedAtMs) {
        return new ContractEvent(
                Kind.SETTLEMENT,
                asset,
                key.venue(),
                key.symbol(),
                epoch,
                null,
                null,
                null,
                intervalH,
                null,
                settledMs,
                rawMs,
                rate,
                basis,
                null,
                observedAtMs);
    }

    /**
     * A settlement came due, and no observation gives its rate.
     *
     * @param settledMs its instant, epoch ms UTC, on a whole minute
     * @param intervalH the interval that it closed, hours; null when unknown
     */
    public static ContractEvent expected(
            ContractKey key,
            String asset,
            long epoch,
            long settledMs,
            @Nullable BigDecimal intervalH,
            long observedAtMs) {
        return new ContractEvent(
                Kind.EXPECTED,
                asset,
                key.venue(),
                key.symbol(),
                epoch,
                null,
                null,
                null,
                intervalH,
                null,
                settledMs,
                null,
                null,
                null,
                null,
                observedAtMs);
    }

    /** The contract. */
    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }

    /** The key of the record: the asset, or the contract's own key while its asset is not known. */
    public String recordKey() {
        return asset == null ? key().toString() : asset;
    }
}
