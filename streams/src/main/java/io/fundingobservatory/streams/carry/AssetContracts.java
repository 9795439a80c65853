package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.carry.PricedContract.MarkComparison;
import io.fundingobservatory.streams.settlements.Ledger;
import io.fundingobservatory.streams.settlements.Window;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.normalisation.Decimals;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The contracts of one asset; their settlements stay in the store until a table is made of them. */
public final class AssetContracts {
    private final String asset;
    private final TreeMap<ContractKey, PricedContract> contracts = new TreeMap<>();

    public AssetContracts(String asset) {
        this.asset = asset;
    }

    /**
     * Takes what is published of a contract.
     *
     * @param publishedMs as of when, epoch ms
     * @return whether the asset's table may be another one because of it
     */
    public boolean list(Contract contract, long publishedMs) {
        PricedContract before = contracts.get(contract.key());
        PricedContract now = before == null
                ? PricedContract.first(contract, publishedMs)
                : before.published(contract, publishedMs, contracts.values());
        contracts.put(contract.key(), now);
        return before == null
                || !before.contract().priced(null).equals(now.contract().priced(null))
                || contracts.values().stream().anyMatch(other -> changesVerdict(other, before, now));
    }

    /** Prices are published only where they refuse a pair, or where none could be compared so far. */
    private static boolean changesVerdict(PricedContract other, PricedContract before, PricedContract now) {
        if (!now.isComparable(other)) {
            return false;
        }
        MarkComparison former = before.comparison(other);
        MarkComparison present = now.comparison(other);
        if (former == null || present == null) {
            return (former == null) != (present == null);
        }
        boolean refused = former.differs() || present.differs();
        return refused
                && (former.differs() != present.differs()
                        || !Decimals.same(former.own(), present.own())
                        || !Decimals.same(former.others(), present.others()));
    }

    /** Takes a contract back as it was stored. */
    public void restore(PricedContract stored) {
        contracts.put(stored.contract().key(), stored);
    }

    /** What has to be stored of a contract; null when it is not listed. */
    public @Nullable PricedContract stored(ContractKey key) {
        return contracts.get(key);
    }

    public String asset() {
        return asset;
    }

    public int size() {
        return contracts.size();
    }

    /**
     * The asset's table.
     *
     * @param inactive the contracts of which nothing is known for as long as settlements are kept
     */
    public record Result(CarryTable table, List<ContractKey> inactive) {}

    /**
     * Makes the asset's table.
     *
     * @param ledgers reads the settlements of a contract's listing from {@link Ledger#KEPT_MS} before the window's end, those after it included
     */
    public Result tabulate(Window window, Function<Contract, Ledger> ledgers) {
        var inputs = new ArrayList<PairTable.Input>();
        var inactive = new ArrayList<ContractKey>();
        for (PricedContract listed : contracts.values()) {
            Ledger ledger = ledgers.apply(listed.contract());
            if (listed.publishedMs() >= window.endMs() - Ledger.KEPT_MS || !ledger.isEmpty()) {
                inputs.add(new PairTable.Input(listed, ledger));
            } else {
                inactive.add(listed.contract().key());
            }
        }
        return new Result(PairTable.of(asset, inputs, window), inactive);
    }
}
