package io.fundingobservatory.faults.oracle;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Expected content of {@code carry.pairs} for contracts whose settlements are all published. F = Σ r over (T
 * − 720 h, T], where the table names T. D = F(short) − F(long), where F(short) is the larger one.
 */
public final class PairsOracle {
    private static final long HOUR_MS = 3_600_000;
    private static final long WINDOW_MS = 720 * HOUR_MS;
    private static final long SETTLES_MS = 8 * HOUR_MS;

    /** The window ends with the last whole hour at least ten minutes ago; a table is made within the minutes after. */
    private static final long LATEST_END_MS = 10 * 60_000;

    private static final long EARLIEST_END_MS = LATEST_END_MS + HOUR_MS + 10 * 60_000;

    private final Map<String, TreeMap<Long, BigDecimal>> charged;
    private final List<String> violations = new ArrayList<>();
    private final long begunMs = System.currentTimeMillis();

    /** @param charged by contract, then by the instant of the charge */
    public PairsOracle(Map<String, TreeMap<Long, BigDecimal>> charged) {
        this.charged = charged;
    }

    /** Whether every asset has its pairs, all of them complete. */
    public boolean areComplete(Map<String, byte[]> tables) {
        return assets().stream()
                .allMatch(asset -> tables.get(asset) != null && pairs(tables.get(asset)) == pairsOf(asset));
    }

    private List<String> assets() {
        return charged.keySet().stream().map(PairsOracle::assetOf).distinct().toList();
    }

    private static String assetOf(String contract) {
        return contract.substring(contract.indexOf('|') + 1, contract.lastIndexOf('-'));
    }

    private int pairsOf(String asset) {
        int legs = (int) charged.keySet().stream()
                .filter(contract -> assetOf(contract).equals(asset))
                .count();
        return legs * (legs - 1) / 2;
    }

    @SuppressWarnings("unchecked")
    private static int pairs(byte[] table) {
        return (int) ((List<Object>) Json.object(table).get("pairs"))
                .stream()
                        .filter(pair -> Boolean.TRUE.equals(((Map<String, Object>) pair).get("complete")))
                        .count();
    }

    /** The newest tables, by asset. Once a charge has come due in the run there is one more than was published, and nothing is said. */
    public void tables(Map<String, byte[]> tables) {
        long now = System.currentTimeMillis();
        if (Math.floorDiv(begunMs, SETTLES_MS) != Math.floorDiv(now, SETTLES_MS)) {
            return;
        }
        for (String asset : assets()) {
            byte[] table = tables.get(asset);
            if (table == null) {
                violated(asset + " has no table");
            } else {
                table(asset, Json.object(table), now);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void table(String asset, Map<String, @Nullable Object> table, long now) {
        long end = whole(table.get("window_end_ms"));
        if (end % HOUR_MS != 0 || end > now - LATEST_END_MS || end < now - EARLIEST_END_MS) {
            violated(asset + " ends " + (now - end) / 1_000 + " s ago");
        }
        if (whole(table.get("window_start_ms")) != end - WINDOW_MS) {
            violated(asset + " does not span 720 hours");
        }
        var sums = new ArrayList<BigDecimal>();
        for (Object each : (List<Object>) table.get("legs")) {
            var leg = (Map<String, Object>) each;
            String contract = leg.get("venue") + "|" + leg.get("symbol");
            TreeMap<Long, BigDecimal> past = charged.getOrDefault(contract, new TreeMap<>());
            var window = past.subMap(end - WINDOW_MS, false, end, true);
            BigDecimal sum = window.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            sums.add(sum);
            if (!(leg.get("funding_sum_30d") instanceof BigDecimal is) || is.compareTo(sum) != 0) {
                violated(contract + " sums up to " + leg.get("funding_sum_30d") + ", not " + sum);
            }
            if (whole(leg.get("settlements")) != window.size() || whole(leg.get("expected")) != window.size()) {
                violated(contract + " has " + leg.get("settlements") + " of " + leg.get("expected") + ", not "
                        + window.size());
            }
        }
        List<Object> pairs = (List<Object>) table.get("pairs");
        if (pairs.size() != pairsOf(asset)) {
            violated(asset + " has " + pairs.size() + " pairs of " + pairsOf(asset));
        }
        for (Object each : pairs) {
            pair(asset, (Map<String, Object>) each, sums);
        }
    }

    private void pair(String asset, Map<String, Object> pair, List<BigDecimal> sums) {
        BigDecimal shorted = sums.get((int) whole(pair.get("short")));
        BigDecimal difference = shorted.subtract(sums.get((int) whole(pair.get("long"))));
        if (!Boolean.TRUE.equals(pair.get("complete")) || whole(pair.get("days")) != 30) {
            violated(asset + " is not complete: " + pair.get("days") + " days, " + pair.get("reason"));
        } else if (!(pair.get("funding_difference") instanceof BigDecimal is) || is.compareTo(difference) != 0) {
            violated(asset + " differs by " + pair.get("funding_difference") + ", not " + difference);
        } else if (difference.signum() < 0) {
            violated(asset + " has its legs the wrong way round");
        }
    }

    private static long whole(@Nullable Object number) {
        return number instanceof BigDecimal value ? value.longValueExact() : Long.MIN_VALUE;
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
