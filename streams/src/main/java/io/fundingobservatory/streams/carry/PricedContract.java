package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One contract of an asset with its newest known price. While another contract is silent, the one whose price moves on keeps the last
 * comparison of the two.
 *
 * @param contract as last published, at its newest known price
 * @param publishedMs as of when it was published, epoch ms
 * @param pricedMs when its price was read, epoch ms; without meaning while it has none
 * @param kept comparisons with contracts that were last priced more than an hour before this one
 */
public record PricedContract(Contract contract, long publishedMs, long pricedMs, List<MarkComparison> kept) {
    public static final JsonCodec<PricedContract> CODEC = JsonCodec.stored(PricedContract.class);

    /** Prices that were read further apart are not compared. */
    static final long COMPARED_WITHIN_MS = Window.HOUR_MS;

    public PricedContract {
        kept = List.copyOf(kept);
    }

    public static PricedContract first(Contract contract, long publishedMs) {
        return new PricedContract(contract, publishedMs, publishedMs, List.of());
    }

    /** The contract as it is published now; it may itself be among the others. */
    public PricedContract published(Contract now, long nowMs, Collection<PricedContract> others) {
        if (now.listingEpoch() != contract.listingEpoch()) {
            return first(now, nowMs);
        }
        boolean priced = now.coinPrice() != null;
        var next = new PricedContract(
                priced ? now : now.priced(contract.coinPrice()), nowMs, priced ? nowMs : pricedMs, List.of());
        var keep = new ArrayList<MarkComparison>();
        for (PricedContract other : others) {
            if (next.isComparable(other) && next.current(other) == null) {
                MarkComparison last = comparison(other);
                if (last != null) {
                    keep.add(last);
                }
            }
        }
        return new PricedContract(next.contract, nowMs, next.pricedMs, keep);
    }

    /** Whether the asset's table may be another one than with the contract as it was before. */
    public boolean changesTableOf(PricedContract before, Collection<PricedContract> others) {
        return !before.contract.priced(null).equals(contract.priced(null))
                || others.stream().anyMatch(other -> changesVerdict(other, before));
    }

    /** Prices are published only where they refuse a pair, or where none could be compared so far. */
    private boolean changesVerdict(PricedContract other, PricedContract before) {
        if (!isComparable(other)) {
            return false;
        }
        MarkComparison former = before.comparison(other);
        MarkComparison present = comparison(other);
        if (former == null || present == null) {
            return (former == null) != (present == null);
        }
        boolean refused = former.differs() || present.differs();
        return refused
                && (former.differs() != present.differs()
                        || !Decimals.same(former.own(), present.own())
                        || !Decimals.same(former.others(), present.others()));
    }

    /** Whether the two can be a pair: contracts of one type at two venues. */
    boolean isComparable(PricedContract other) {
        return !contract.key().venue().equals(other.contract.key().venue())
                && contract.type() == other.contract.type()
                && contract.type() != ContractType.QUANTO;
    }

    /** The newest two prices that were read within an hour of each other; null when there are none. */
    @Nullable
    MarkComparison comparison(PricedContract other) {
        MarkComparison now = current(other);
        if (now != null) {
            return now;
        }
        MarkComparison here = keptWith(other);
        MarkComparison there = other.keptWith(this);
        return there == null || (here != null && here.atMs() >= there.atMs()) ? here : there.seenFrom(other.contract);
    }

    private @Nullable MarkComparison current(PricedContract other) {
        var own = contract.coinPrice();
        var others = other.contract.coinPrice();
        return own == null || others == null || Math.abs(pricedMs - other.pricedMs) > COMPARED_WITHIN_MS
                ? null
                : new MarkComparison(
                        own,
                        other.contract.key(),
                        other.contract.listingEpoch(),
                        others,
                        Math.max(pricedMs, other.pricedMs));
    }

    private @Nullable MarkComparison keptWith(PricedContract other) {
        return kept.stream()
                .filter(comparison -> comparison.with().equals(other.contract.key())
                        && comparison.withListingEpoch() == other.contract.listingEpoch())
                .findFirst()
                .orElse(null);
    }

    /**
     * Two prices per coin, in quote currency, of two contracts that were read within an hour of each other.
     *
     * @param own the price of the contract that holds this comparison
     * @param with the other contract
     * @param withListingEpoch the listing number of the other contract
     * @param others the price of the other contract
     * @param atMs the later of the two observations, epoch ms
     */
    public record MarkComparison(
            BigDecimal own, ContractKey with, long withListingEpoch, BigDecimal others, long atMs) {
        /** Two prices within this ratio of each other are prices of one coin. */
        private static final BigDecimal SAME_ASSET_RATIO = new BigDecimal("1.05");

        MarkComparison seenFrom(Contract holder) {
            return new MarkComparison(/* own= */ others, holder.key(), holder.listingEpoch(), /* others= */ own, atMs);
        }

        /** Whether the prices show two different coins. */
        boolean differs() {
            return own.max(others).compareTo(own.min(others).multiply(SAME_ASSET_RATIO)) > 0;
        }
    }
}
