package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.payments.Ledger;
import io.fundingobservatory.streams.payments.Window;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The contracts of one asset; their payments stay in the store until a table is made of them. */
public final class AssetContracts {
    /** Twice what may pass between two signs of life, and the ten minutes by which a window ends before now. */
    private static final long ACTIVE_WITHIN_MS = 2 * Listing.LastPublished.SIGN_OF_LIFE_EVERY_MS;

    private final String asset;
    private final TreeMap<ContractKey, Entry> contracts = new TreeMap<>();

    private record Entry(Contract contract, long publishedMs) {}

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
        Entry before = contracts.put(contract.key(), new Entry(contract, publishedMs));
        if (before == null || !contract.priced(before.contract.coinPrice()).equals(before.contract)) {
            return true;
        }
        if (before.contract.equals(contract)) {
            return false;
        }
        // Prices stand in a table only where they refuse a pair.
        List<Contract> all = contracts.values().stream().map(Entry::contract).toList();
        return PairTable.refusesAny(contract, all) || PairTable.refusesAny(before.contract, all);
    }

    /** Removes a contract; whether it was there. */
    public boolean remove(ContractKey key) {
        return contracts.remove(key) != null;
    }

    /** Which listing of a ticker is of this asset; null when none is. */
    public @Nullable Long epoch(ContractKey key) {
        Entry entry = contracts.get(key);
        return entry == null ? null : entry.contract.listingEpoch();
    }

    public String asset() {
        return asset;
    }

    public int size() {
        return contracts.size();
    }

    public boolean isEmpty() {
        return contracts.isEmpty();
    }

    /**
     * The asset's table.
     *
     * @param inactive the contracts of which nothing is known for as long as payments are kept
     */
    public record Result(CarryTable table, List<ContractKey> inactive) {}

    /**
     * Makes the asset's table.
     *
     * @param ledgers reads the payments of a contract's listing from {@link Ledger#KEPT_MS} before the window's end, those after it included
     */
    public Result tabulate(Window window, Function<Contract, Ledger> ledgers) {
        var inputs = new ArrayList<PairTable.Input>();
        var inactive = new ArrayList<ContractKey>();
        for (Entry entry : contracts.values()) {
            Ledger ledger = ledgers.apply(entry.contract);
            if (entry.publishedMs >= window.endMs() - Ledger.KEPT_MS || !ledger.isEmpty()) {
                boolean active = entry.publishedMs >= window.endMs() - ACTIVE_WITHIN_MS;
                inputs.add(new PairTable.Input(entry.contract, ledger, active));
            } else {
                inactive.add(entry.contract.key());
            }
        }
        return new Result(PairTable.of(asset, inputs, window), inactive);
    }
}
