package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Hours;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One contract as the pair table sees it.
 *
 * @param listingEpoch which listing of the symbol it is
 * @param listedSinceMs settlements up to this instant belong to an earlier listing, epoch ms; for the first, {@link Long#MIN_VALUE}
 * @param quote the currency that its prices are quoted in
 * @param currentIntervalH its settlement interval now, in hours; null when unknown
 * @param coinPrice price per coin, in quote currency; null when unknown
 */
public record Contract(
        ContractKey key,
        long listingEpoch,
        long listedSinceMs,
        String asset,
        String quote,
        ContractType type,
        @Nullable BigDecimal currentIntervalH,
        @Nullable BigDecimal coinPrice) {
    static final JsonCodec<Contract> CODEC = JsonCodec.<Contract>of("contract", 3)
            .text("venue", contract -> contract.key().venue())
            .text("symbol", contract -> contract.key().symbol())
            .integer("listing_epoch", Contract::listingEpoch)
            .integer("listed_since_ms", Contract::listedSinceMs)
            .text("asset", Contract::asset)
            .text("quote", Contract::quote)
            .word("contract_type", ContractType.class, Contract::type)
            .decimalOrNull("funding_interval_h", Contract::currentIntervalH)
            .decimalOrNull("coin_price", Contract::coinPrice)
            .build(f -> new Contract(
                    new ContractKey(f.text("venue"), f.text("symbol")),
                    f.integer("listing_epoch"),
                    f.integer("listed_since_ms"),
                    f.text("asset"),
                    f.text("quote"),
                    f.word("contract_type", ContractType.class),
                    f.decimalOrNull("funding_interval_h"),
                    f.decimalOrNull("coin_price")));

    @Nullable
    Long currentIntervalMs() {
        return Hours.toMs(currentIntervalH);
    }

    Contract priced(@Nullable BigDecimal price) {
        return new Contract(key, listingEpoch, listedSinceMs, asset, quote, type, currentIntervalH, price);
    }
}
