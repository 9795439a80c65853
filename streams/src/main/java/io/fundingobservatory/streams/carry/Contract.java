package io.fundingobservatory.streams.carry;

import io.fundingobservatory.topics.ContractKey;
import io.fundingobservatory.topics.ContractType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One contract as the pair table sees it.
 *
 * @param key venue and symbol
 * @param listingEpoch which listing of the ticker it is
 * @param asset the normalised asset name
 * @param type how it is margined
 * @param currentIntervalH its settlement interval now, in hours; null when unknown
 * @param coinPrice mark price per coin, in quote currency; null when unknown
 */
public record Contract(
        ContractKey key,
        long listingEpoch,
        String asset,
        ContractType type,
        @Nullable BigDecimal currentIntervalH,
        @Nullable BigDecimal coinPrice) {

    @Nullable
    Long currentIntervalMs() {
        return currentIntervalH == null
                ? null
                : currentIntervalH
                        .movePointRight(5)
                        .multiply(BigDecimal.valueOf(36))
                        .longValue();
    }
}
