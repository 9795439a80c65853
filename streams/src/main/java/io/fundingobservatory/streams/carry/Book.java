package io.fundingobservatory.streams.carry;

import io.fundingobservatory.topics.CarryTable;
import io.fundingobservatory.topics.ContractKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The contracts of one asset; their payments stay in the store until a table is made of them. */
public final class Book {
    private final String asset;
    private final TreeMap<ContractKey, Entry> contracts = new TreeMap<>();

    private record Entry(Contract contract, long toldMs) {}

    public Book(String asset) {
        this.asset = asset;
    }

    /**
     * Takes what is said about a contract.
     *
     * @param toldMs when that was read, epoch ms
     * @return whether the asset's table may be another one because of it
     */
    public boolean list(Contract contract, long toldMs) {
        Entry before = contracts.put(contract.key(), new Entry(contract, toldMs));
        if (before == null || !sameButForPrice(before.contract, contract)) {
            return true;
        }
        if (before.contract.equals(contract)) {
            return false;
        }
        var now = new ArrayList<Contract>();
        contracts.values().forEach(entry -> now.add(entry.contract));
        boolean refusesNow = PairTable.refusesAny(now);
        now.replaceAll(c -> c.key().equals(contract.key()) ? before.contract : c);
        return refusesNow || PairTable.refusesAny(now);
    }

    /** Prices stand in a table only where they refuse a pair. */
    private static boolean sameButForPrice(Contract a, Contract b) {
        return new Contract(a.key(), a.listingEpoch(), a.asset(), a.type(), a.currentIntervalH(), b.coinPrice())
                .equals(b);
    }

    /** Strikes a contract off; whether it was there. */
    public boolean strike(ContractKey key) {
        return contracts.remove(key) != null;
    }

    /** Which listing of a ticker stands in the book; null when none does. */
    public @Nullable Long epoch(ContractKey key) {
        Entry entry = contracts.get(key);
        return entry == null ? null : entry.contract.listingEpoch();
    }

    public boolean isEmpty() {
        return contracts.isEmpty();
    }

    /** What a book comes to: the table, and the contracts that nothing has been heard of for as long as payments are kept. */
    public record Balance(CarryTable table, List<ContractKey> silent) {}

    /**
     * Makes the asset's table.
     *
     * @param ledgers reads the payments of a contract's listing from {@link Ledger#KEPT_MS} before the window's end up to it
     */
    public Balance balance(Window window, Function<Contract, Ledger> ledgers) {
        var read = new HashMap<Contract, Ledger>();
        var silent = new ArrayList<ContractKey>();
        for (Entry entry : contracts.values()) {
            Ledger ledger = ledgers.apply(entry.contract);
            boolean heardOf = entry.toldMs >= window.endMs() - Ledger.KEPT_MS;
            if (heardOf || !ledger.payments().isEmpty() || !ledger.announced().isEmpty()) {
                read.put(entry.contract, ledger);
            } else {
                silent.add(entry.contract.key());
            }
        }
        return new Balance(PairTable.of(asset, read, window), silent);
    }
}
