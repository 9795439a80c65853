package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.KnownSettlement;
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
    @Nullable
    Long currentIntervalMs() {
        return KnownSettlement.toMs(currentIntervalH);
    }

    Contract priced(@Nullable BigDecimal price) {
        return new Contract(key, listingEpoch, listedSinceMs, asset, quote, type, currentIntervalH, price);
    }
}
