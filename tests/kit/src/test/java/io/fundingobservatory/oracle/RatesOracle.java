package io.fundingobservatory.oracle;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Expected content of {@code rates.normalised} and {@code rates.latest}, computed from {@code quotes.raw}
 * alone: one thread, one map, no store. Within a contract the order of its partition counts. An observation
 * that is not newer than the one before changes nothing.
 *
 * <p>Quotes are given in the order of their partitions, and committed rows as they are read. An expected row
 * waits until it arrives. A row that is not the next one of its contract is a violation, named after the
 * invariant it breaks.
 */
public final class RatesOracle {
    private static final int KEPT_VIOLATIONS = 20;

    /** What a violation breaks. */
    public enum Broken {
        NOTHING_LOST,
        EXACTLY_ONCE,
        EXACT_VALUE
    }

    private final Names names;
    private final Map<String, BigDecimal> newest = new HashMap<>();
    private final Map<String, Deque<Map<String, @Nullable Object>>> awaited = new HashMap<>();
    private final Map<String, byte[]> lastRow = new HashMap<>();
    private final Map<Broken, List<String>> violations = new HashMap<>();
    private long quotes;
    private long rows;
    private long refused;
    private long waiting;

    public RatesOracle(Names names) {
        this.names = names;
    }

    /** Takes a record of {@code quotes.raw}; counts records that are not valid quotes as rejected. */
    public void quote(byte @Nullable [] key, byte @Nullable [] value) {
        quotes++;
        Map<String, @Nullable Object> quote = value == null || key == null ? null : read(value);
        Names.Asset asset = quote == null
                ? null
                : names.of(String.valueOf(quote.get("venue")), String.valueOf(quote.get("symbol")));
        if (quote == null || asset == null) {
            refused++;
            return;
        }
        Map<String, @Nullable Object> row = RowModel.of(quote, asset);
        if (row == null) {
            refused++;
            return;
        }
        String contract = quote.get("venue") + "|" + quote.get("symbol");
        var observed = (BigDecimal) quote.get("observed_at_ms");
        BigDecimal known = newest.get(contract);
        if (known != null && known.compareTo(observed) >= 0) {
            return;
        }
        newest.put(contract, observed);
        awaited.computeIfAbsent(contract, c -> new ArrayDeque<>()).add(row);
        waiting++;
    }

    private static @Nullable Map<String, @Nullable Object> read(byte[] value) {
        try {
            return Json.object(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A committed record of {@code rates.normalised}, in the order of its partition. All quotes before it have been given. */
    public void row(byte[] key, byte[] value) {
        rows++;
        String contract = new String(key, java.nio.charset.StandardCharsets.UTF_8);
        Map<String, @Nullable Object> row = Json.object(value);
        lastRow.put(contract, value);
        Deque<Map<String, @Nullable Object>> next = awaited.getOrDefault(contract, new ArrayDeque<>());
        Object observed = row.get("observed_at_ms");
        int skip = position(next, observed);
        if (skip < 0) {
            violated(Broken.EXACTLY_ONCE, contract + " observed " + observed + " comes twice, or out of order");
            return;
        }
        for (int i = 0; i < skip; i++) {
            violated(
                    Broken.NOTHING_LOST, contract + " observed " + next.remove().get("observed_at_ms") + " is missing");
            waiting--;
        }
        String difference = RowModel.difference(next.remove(), row);
        waiting--;
        if (difference != null) {
            violated(Broken.EXACT_VALUE, contract + " observed " + observed + ": " + difference);
        }
    }

    private static int position(Deque<Map<String, @Nullable Object>> next, @Nullable Object observed) {
        int position = 0;
        for (Map<String, @Nullable Object> expected : next) {
            if (expected.get("observed_at_ms") instanceof BigDecimal wanted
                    && observed instanceof BigDecimal is
                    && wanted.compareTo(is) == 0) {
                return position;
            }
            position++;
        }
        return -1;
    }

    /** The newest committed record of a key of {@code rates.latest}, when everything has come. */
    public void latest(Map<String, byte[]> latest) {
        latest(latest, Long.MIN_VALUE);
    }

    /** The same where rows that were read before an instant, epoch ms, may have been removed. */
    public void latest(Map<String, byte[]> latest, long removedBeforeMs) {
        lastRow.forEach((contract, row) -> {
            byte[] shown = latest.get(contract);
            if (shown == null && isReadBefore(row, removedBeforeMs)) {
                return;
            }
            if (shown == null) {
                violated(Broken.NOTHING_LOST, contract + " is not on rates.latest");
            } else if (!Arrays.equals(shown, row)) {
                violated(Broken.NOTHING_LOST, contract + " on rates.latest is not the newest row");
            }
        });
        latest.keySet().stream()
                .filter(contract -> !lastRow.containsKey(contract))
                .forEach(contract ->
                        violated(Broken.EXACTLY_ONCE, contract + " is on rates.latest, but never was a row"));
    }

    private static boolean isReadBefore(byte[] row, long epochMs) {
        return Json.object(row).get("observed_at_ms") instanceof BigDecimal observedMs
                && observedMs.longValue() < epochMs;
    }

    /** How many records of {@code quotes.raw} became dead letters, when everything has come. */
    public void deadLetters(long count) {
        if (count < refused) {
            violated(Broken.NOTHING_LOST, "of " + refused + " refused records " + count + " are dead letters");
        } else if (count > refused) {
            violated(Broken.EXACTLY_ONCE, "for " + refused + " refused records there are " + count + " dead letters");
        }
    }

    /** Rows that must still come. */
    public long waiting() {
        return waiting;
    }

    /** Says that nothing comes any more: what is still waited for is lost. */
    public void end() {
        awaited.forEach((contract, rows) -> rows.forEach(row ->
                violated(Broken.NOTHING_LOST, contract + " observed " + row.get("observed_at_ms") + " is missing")));
        awaited.clear();
        waiting = 0;
    }

    private void violated(Broken what, String how) {
        List<String> all = violations.computeIfAbsent(what, w -> new ArrayList<>());
        if (all.size() < KEPT_VIOLATIONS) {
            all.add(how);
        }
    }

    /** What was broken of a kind; the first twenty. */
    public List<String> violations(Broken what) {
        return List.copyOf(violations.getOrDefault(what, List.of()));
    }

    public long quotes() {
        return quotes;
    }

    /** Committed rows that were compared. */
    public long rows() {
        return rows;
    }

    /** Records of {@code quotes.raw} that must become dead letters. */
    public long refused() {
        return refused;
    }
}
