package io.fundingobservatory.faults.invariants;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the checks need of one response of {@code /api/v1/latest?venues=all}.
 *
 * @param status 0 without a response
 * @param retryAfter the header, null for none
 * @param problem of the connection or the body, null for none
 * @param generatedAtMs of a 200
 * @param contracts keys of its rows
 * @param wrongAges rows whose mark of staleness or whose presence contradicts their age
 */
public record ListSample(
        long atNanos,
        int status,
        @Nullable String retryAfter,
        @Nullable String problem,
        long generatedAtMs,
        Set<String> contracts,
        List<String> wrongAges) {
    private static final long STALE_AFTER_MS = 180_000;
    private static final long GONE_AFTER_MS = 600_000;

    /** A row may be marked so much later than it should. */
    private static final long MARKED_WITHIN_MS = 10_000;

    public static ListSample without(long atNanos, int status, @Nullable String retryAfter, @Nullable String problem) {
        return new ListSample(atNanos, status, retryAfter, problem, 0, Set.of(), List.of());
    }

    /** Of the JSON of a 200. */
    @SuppressWarnings("unchecked")
    public static ListSample of(long atNanos, Map<String, @Nullable Object> list) {
        var meta = (Map<String, Object>) list.get("meta");
        long generated = ((BigDecimal) meta.get("generated_at_ms")).longValueExact();
        var keys = new HashSet<String>();
        var wrong = new java.util.ArrayList<String>();
        for (Object each : (List<Object>) list.get("rows")) {
            var row = (Map<String, Object>) each;
            String key = row.get("venue") + "|" + row.get("symbol");
            if (!keys.add(key)) {
                wrong.add(key + " is listed twice");
            }
            long age = generated - ((BigDecimal) row.get("observed_at_ms")).longValueExact();
            boolean marked = Boolean.TRUE.equals(row.get("stale"));
            if (age > GONE_AFTER_MS + MARKED_WITHIN_MS
                    || (age > STALE_AFTER_MS + MARKED_WITHIN_MS && !marked)
                    || (age < STALE_AFTER_MS && marked)) {
                wrong.add(key + " is " + age + " ms old and " + (marked ? "" : "not ") + "marked stale");
            }
        }
        return new ListSample(atNanos, 200, null, null, generated, keys, wrong);
    }

    /** The same list, received at another moment of {@link System#nanoTime()}. */
    public ListSample at(long nanos) {
        return new ListSample(nanos, status, retryAfter, problem, generatedAtMs, contracts, wrongAges);
    }
}
