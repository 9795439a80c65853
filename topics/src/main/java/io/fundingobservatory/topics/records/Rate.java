package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One normalised funding rate with its prices: the row of {@code /api/v1/latest}, and the value of {@code rates.normalised}
 * and {@code rates.latest}. Rates are fractions of notional; longs pay shorts when positive. Decimals are exact and carry no
 * trailing zeros.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param asset the normalised asset name; the field to join on
 * @param quote the currency that prices are quoted in
 * @param contractType how the contract is margined
 * @param assetClass the class of the underlying in the venue's own data; null where the venue states none, or none of these
 * @param dex the builder market that lists the contract (Hyperliquid's {@code xyz}); null at the venue's own market
 * @param fundingRate8h fraction of notional per 8 hours, already converted; null when the interval behind the value is unknown
 * @param fundingIntervalH the exchange's own settlement interval in hours; null when unknown
 * @param fundingIntervalSource where that interval was read; null exactly when it is unknown
 * @param fundingRate fraction of notional per the exchange's own interval; null when unknown
 * @param rateKind kind of the exchange's value
 * @param fundingRateAnnualised {@code fundingRate8h × 3 × 365}, simple, hypothetical; null when that is
 * @param nextFundingMs the announced next settlement, epoch ms UTC; null when the exchange announces none
 * @param markPrice quote currency per priced unit of {@code priceScale} coins; null when not published
 * @param indexPrice quote currency per priced unit of {@code priceScale} coins; null when not published
 * @param priceScale coins that one priced unit stands for (1000 for 1000PEPE)
 * @param venueTimeMs the exchange's own time of the value, epoch ms UTC; null when not published
 * @param observedAtMs when the response was read, epoch ms UTC
 * @param stale true once the row is older than 180 s; absent before
 */
public record Rate(
        String venue,
        String symbol,
        String asset,
        String quote,
        ContractType contractType,
        @Nullable AssetClass assetClass,
        @Nullable String dex,
        @Nullable BigDecimal fundingRate8h,
        @Nullable BigDecimal fundingIntervalH,
        @Nullable IntervalSource fundingIntervalSource,
        @Nullable BigDecimal fundingRate,
        RateKind rateKind,
        @Nullable BigDecimal fundingRateAnnualised,
        @Nullable Long nextFundingMs,
        @Nullable BigDecimal markPrice,
        @Nullable BigDecimal indexPrice,
        BigDecimal priceScale,
        @Nullable Long venueTimeMs,
        long observedAtMs,
        boolean stale) {

    /** A row older than this is marked stale. */
    public static final long STALE_AFTER_MS = 180_000;

    /** A row older than this is removed and counted as missing. */
    public static final long REMOVED_AFTER_MS = 600_000;

    public static final JsonCodec<Rate> CODEC = JsonCodec.<Rate>of("rate", 1)
            .text("venue", Rate::venue)
            .text("symbol", Rate::symbol)
            .text("asset", Rate::asset)
            .text("quote", Rate::quote)
            .word("contract_type", ContractType.class, Rate::contractType)
            .wordOrNull("asset_class", AssetClass.class, Rate::assetClass)
            .textOrNull("dex", Rate::dex)
            .decimalOrNull("funding_rate_8h", Rate::fundingRate8h)
            .decimalOrNull("funding_interval_h", Rate::fundingIntervalH)
            .wordOrNull("funding_interval_source", IntervalSource.class, Rate::fundingIntervalSource)
            .decimalOrNull("funding_rate", Rate::fundingRate)
            .word("rate_kind", RateKind.class, Rate::rateKind)
            .decimalOrNull("funding_rate_annualised", Rate::fundingRateAnnualised)
            .integerOrNull("next_funding_ms", Rate::nextFundingMs)
            .decimalOrNull("mark_price", Rate::markPrice)
            .decimalOrNull("index_price", Rate::indexPrice)
            .decimal("price_scale", Rate::priceScale)
            .integerOrNull("venue_time_ms", Rate::venueTimeMs)
            .integer("observed_at_ms", Rate::observedAtMs)
            .flag("stale", Rate::stale)
            .build(f -> new Rate(
                    f.text("venue"),
                    f.text("symbol"),
                    f.text("asset"),
                    f.text("quote"),
                    f.word("contract_type", ContractType.class),
                    f.wordOrNull("asset_class", AssetClass.class),
                    f.textOrNull("dex"),
                    f.decimalOrNull("funding_rate_8h"),
                    f.decimalOrNull("funding_interval_h"),
                    f.wordOrNull("funding_interval_source", IntervalSource.class),
                    f.decimalOrNull("funding_rate"),
                    f.word("rate_kind", RateKind.class),
                    f.decimalOrNull("funding_rate_annualised"),
                    f.integerOrNull("next_funding_ms"),
                    f.decimalOrNull("mark_price"),
                    f.decimalOrNull("index_price"),
                    f.decimal("price_scale"),
                    f.integerOrNull("venue_time_ms"),
                    f.integer("observed_at_ms"),
                    f.flag("stale")));

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }

    /** The same row with its staleness as of an instant. */
    public Rate asOf(long nowMs) {
        boolean old = nowMs - observedAtMs > STALE_AFTER_MS;
        return old == stale ? this : with(observedAtMs, old);
    }

    /** The same row, read at another time: where the reader's own clock is known to be wrong. */
    public Rate readAt(long epochMs) {
        return with(epochMs, stale);
    }

    private Rate with(long readAtMs, boolean old) {
        return new Rate(
                venue,
                symbol,
                asset,
                quote,
                contractType,
                assetClass,
                dex,
                fundingRate8h,
                fundingIntervalH,
                fundingIntervalSource,
                fundingRate,
                rateKind,
                fundingRateAnnualised,
                nextFundingMs,
                markPrice,
                indexPrice,
                priceScale,
                venueTimeMs,
                readAtMs,
                old);
    }

    /** Whether the row is too old to be shown at all. */
    public boolean goneAt(long nowMs) {
        return nowMs - observedAtMs > REMOVED_AFTER_MS;
    }
}
