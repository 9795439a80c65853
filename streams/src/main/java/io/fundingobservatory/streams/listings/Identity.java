package io.fundingobservatory.streams.listings;

import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Rate;
import java.math.BigDecimal;

/**
 * What a symbol refers to.
 *
 * @param base the venue's own spelling of the coin, multiplier included
 * @param asset the normalised asset name that our tables derive from it
 * @param priceScale coins that one priced unit stands for
 * @param quote the currency that its prices are quoted in; another currency does not make another contract
 */
public record Identity(String base, String asset, ContractType type, BigDecimal priceScale, String quote) {
    public static Identity of(String base, Rate rate) {
        return new Identity(base, rate.asset(), rate.contractType(), rate.priceScale(), rate.quote());
    }

    /**
     * Whether both are one contract. The same spelling under another asset name is a renaming in our own
     * tables. Another spelling of the same coin and scale (XBT for BTC) is a renaming at the venue.
     */
    public boolean isContractOf(Identity other) {
        boolean sameName = asset.equals(other.asset) && priceScale.compareTo(other.priceScale) == 0;
        return type == other.type && (base.equals(other.base) || sameName);
    }
}
