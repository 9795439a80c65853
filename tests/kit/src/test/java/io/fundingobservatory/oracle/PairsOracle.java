package io.fundingobservatory.oracle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Expected content of {@code carry.pairs} and {@code settlements} for contracts whose settlements are all published. Every pair of an asset
 * is complete. {@link PairsModel} computes its sums.
 */
public final class PairsOracle {
    private static final long HOUR_MS = PairsModel.HOUR_MS;
    private static final long WINDOW_MS = 720 * HOUR_MS;
    private static final long KEPT_MS = 744 * HOUR_MS;
    private static final long SETTLES_MS = 8 * HOUR_MS;

    /** The window ends with the last whole hour at least ten minutes ago; a table is made within the minutes after. */
    private static final long LATEST_END_MS = 10 * 60_000;

    private static final long EARLIEST_END_MS = LATEST_END_MS + HOUR_MS + 10 * 60_000;

    private final KnownSettlements known;
    private final List<String> violations = new ArrayList<>();
    private final long begunMs = System.currentTimeMillis();

    /** @param known everything that venues have published of the contracts */
    public PairsOracle(KnownSettlements known) {
        this.known = known;
    }

    public Completeness completeness() {
        return new Completeness(contracts());
    }

    /** A check of whether every asset has its pairs, all of them complete. It reads on where it ended: a complete asset is read once. */
    public static final class Completeness implements Predicate<Map<String, byte[]>> {
        private final Deque<Map.Entry<String, Integer>> left;

        private Completeness(Map<String, Integer> contracts) {
            left = new ArrayDeque<>(contracts.entrySet());
        }

        @Override
        public boolean test(Map<String, byte[]> tables) {
            while (!left.isEmpty()) {
                byte[] table = tables.get(left.getFirst().getKey());
                if (table == null || complete(table) != pairsOf(left.getFirst().getValue())) {
                    return false;
                }
                left.removeFirst();
            }
            return true;
        }

        /** How many assets have not been found complete yet. */
        public int left() {
            return left.size();
        }
    }

    /** Whether a table has all pairs of its asset, each complete; an asset without settlements has none. */
    public boolean isWhole(String asset, byte[] table) {
        return complete(table) == pairsOf(contracts().getOrDefault(asset, 0));
    }

    /** Whether a table, null for none, has all that has been published of its asset so far. */
    public boolean isCurrent(byte @Nullable [] table) {
        var differences = new ArrayList<String>();
        if (table != null) {
            new PairsModel(known, differences::add).table(Json.object(table));
        }
        return table != null && differences.isEmpty();
    }

    /** Whether every asset's table has all that has been published so far. */
    public boolean areCurrent(Map<String, byte[]> tables) {
        return contracts().keySet().stream().allMatch(asset -> isCurrent(tables.get(asset)));
    }

    /** How many contracts each asset has. */
    private Map<String, Integer> contracts() {
        var contracts = new HashMap<String, Integer>();
        known.listings()
                .forEach(listing -> contracts.merge(
                        listing.symbol().substring(0, listing.symbol().lastIndexOf('-')), 1, Integer::sum));
        return contracts;
    }

    private static int pairsOf(int contracts) {
        return contracts * (contracts - 1) / 2;
    }

    @SuppressWarnings("unchecked")
    private static int complete(byte[] table) {
        return (int) ((List<Object>) Json.object(table).get("pairs"))
                .stream()
                        .filter(pair -> Boolean.TRUE.equals(((Map<String, Object>) pair).get("complete")))
                        .count();
    }

    /** The newest tables, by asset. Once a settlement has come due in the run there is one more than was published, and nothing is reported. */
    public void tables(Map<String, byte[]> tables) {
        long now = System.currentTimeMillis();
        if (Math.floorDiv(begunMs, SETTLES_MS) != Math.floorDiv(now, SETTLES_MS)) {
            return;
        }
        var model = new PairsModel(known, this::violated);
        contracts().forEach((asset, contracts) -> {
            byte[] bytes = tables.get(asset);
            if (bytes == null) {
                violated(asset + " has no table");
                return;
            }
            Map<String, @Nullable Object> table = Json.object(bytes);
            window(asset, table, now);
            if (complete(bytes) != pairsOf(contracts)) {
                violated(asset + " has " + complete(bytes) + " complete pairs of " + pairsOf(contracts));
            }
            model.table(table);
        });
    }

    private void window(String asset, Map<String, @Nullable Object> table, long now) {
        long end = PairsModel.whole(table.get("window_end_ms"));
        if (end % HOUR_MS != 0 || end > now - LATEST_END_MS || end < now - EARLIEST_END_MS) {
            violated(asset + " ends " + (now - end) / 1_000 + " s ago");
        }
        if (PairsModel.whole(table.get("window_start_ms")) != end - WINDOW_MS) {
            violated(asset + " does not span 720 hours");
        }
    }

    /** All of 31 days that {@code settlements} holds: nothing twice, nothing missing, the last one of each instant as published. */
    public void settlements(SettlementsReader topic) {
        topic.advance();
        topic.duplicates().forEach(this::violated);
        for (KnownSettlements.Listing listing : known.listings()) {
            TreeMap<Long, KnownSettlements.Settlement> expected = known.of(listing);
            TreeMap<Long, KnownSettlements.Settlement> found = topic.known().of(listing);
            expected.tailMap(begunMs - KEPT_MS).forEach((settledMs, settlement) -> {
                KnownSettlements.Settlement is = found.get(settledMs);
                if (is == null || !is.isSameAs(settlement)) {
                    violated(listing + " at " + settledMs + " is " + is + " on settlements, not " + settlement);
                }
            });
        }
    }

    private void violated(String how) {
        if (violations.size() < 20) {
            violations.add(how);
        }
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }
}
