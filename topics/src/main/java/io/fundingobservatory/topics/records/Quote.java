package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange published about one perpetual contract, unmodified, and when it was read.
 *
 * @param venue the exchange's identifier
 * @param symbol the exchange's own spelling of the instrument
 * @param base the exchange's own spelling of the base coin, multiplier included ({@code 1000PEPE}, {@code kPEPE}, {@code XBT})
 * @param quote the currency that prices are quoted in, upper case
 * @param contractType how the contract is margined
 * @param assetClass the class of the underlying in the venue's own data; null where the venue states none, or none of these
 * @param dex the builder market that lists the contract (Hyperliquid's {@code xyz}); null at the venue's own market
 * @param rate the funding value as published, in {@code rateUnit}, over {@code rateHours}; longs pay shorts when positive
 * @param rateUnit the unit of {@code rate}
 * @param rateHours the number of hours that {@code rate} covers; null: one settlement interval whose length is not known
 * @param rateKind kind of the rate
 * @param intervalH the settlement interval in hours; null when the exchange does not publish it
 * @param intervalSource where the interval was read; null exactly when {@code intervalH} is
 * @param nextFundingMs the announced next settlement, epoch ms UTC; null when the exchange announces none
 * @param markPrice quote currency per priced unit; null when not published
 * @param indexPrice quote currency per priced unit; null when not published
 * @param venueTimeMs the exchange's own time of the value, epoch ms UTC; null when not published
 * @param observedAtMs when the response was read, epoch ms UTC
 */
public record Quote(
        String venue,
        String symbol,
        String base,
        String quote,
        ContractType contractType,
        @Nullable AssetClass assetClass,
        @Nullable String dex,
        BigDecimal rate,
        RateUnit rateUnit,
        @Nullable BigDecimal rateHours,
        RateKind rateKind,
        @Nullable BigDecimal intervalH,
        @Nullable IntervalSource intervalSource,
        @Nullable Long nextFundingMs,
        @Nullable BigDecimal markPrice,
        @Nullable BigDecimal indexPrice,
        @Nullable Long venueTimeMs,
        long observedAtMs) {

    public static final JsonCodec<Quote> CODEC = JsonCodec.<Quote>of("quote", 1)
            .text("venue", Quote::venue)
            .text("symbol", Quote::symbol)
            .text("base", Quote::base)
            .text("quote", Quote::quote)
            .word("contract_type", ContractType.class, Quote::contractType)
            .wordOrNull("asset_class", AssetClass.class, Quote::assetClass)
            .textOrNull("dex", Quote::dex)
            .decimal("rate", Quote::rate)
            .word("rate_unit", RateUnit.class, Quote::rateUnit)
            .decimalOrNull("rate_hours", Quote::rateHours)
            .word("rate_kind", RateKind.class, Quote::rateKind)
            .decimalOrNull("interval_h", Quote::intervalH)
            .wordOrNull("interval_source", IntervalSource.class, Quote::intervalSource)
            .integerOrNull("next_funding_ms", Quote::nextFundingMs)
            .decimalOrNull("mark_price", Quote::markPrice)
            .decimalOrNull("index_price", Quote::indexPrice)
            .integerOrNull("venue_time_ms", Quote::venueTimeMs)
            .integer("observed_at_ms", Quote::observedAtMs)
            .build(f -> new Quote(
                    f.text("venue"),
                    f.text("symbol"),
                    f.text("base"),
                    f.text("quote"),
                    f.word("contract_type", ContractType.class),
                    f.wordOrNull("asset_class", AssetClass.class),
                    f.textOrNull("dex"),
                    f.decimal("rate"),
                    f.word("rate_unit", RateUnit.class),
                    f.decimalOrNull("rate_hours"),
                    f.word("rate_kind", RateKind.class),
                    f.decimalOrNull("interval_h"),
                    f.wordOrNull("interval_source", IntervalSource.class),
                    f.integerOrNull("next_funding_ms"),
                    f.decimalOrNull("mark_price"),
                    f.decimalOrNull("index_price"),
                    f.integerOrNull("venue_time_ms"),
                    f.integer("observed_at_ms")));

    public ContractKey key() {
        return new ContractKey(venue, symbol);
    }
}
