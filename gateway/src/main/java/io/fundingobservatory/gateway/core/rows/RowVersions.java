package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The version in which each row of one venue got its present bytes. Versions count upwards in this process, over all venues. Every list of
 * a venue's rows has a version of its own.
 */
final class RowVersions {
    private static final AtomicLong LAST = new AtomicLong();

    /**
     * What is stored of a list that was served, to compare it with a later one.
     *
     * @param symbols sorted; shared by consecutive lists with the same symbols
     */
    record Mark(String venue, long version, List<String> symbols) {}

    private final List<EncodedRow> rows;
    private final long[] changed;
    private final Mark mark;

    private RowVersions(List<EncodedRow> rows, long[] changed, Mark mark) {
        this.rows = rows;
        this.changed = changed;
        this.mark = mark;
    }

    /**
     * The versions of rows that are sorted by symbol.
     *
     * @param former those of the venue's list before; null where there is none, and every row is new
     */
    static RowVersions of(String venue, List<EncodedRow> rows, @Nullable RowVersions former) {
        long version = LAST.incrementAndGet();
        var changed = new long[rows.size()];
        List<EncodedRow> before = former == null ? List.of() : former.rows;
        long[] changedBefore = former == null ? new long[0] : former.changed;
        int at = 0;
        for (int i = 0; i < changed.length; i++) {
            EncodedRow row = rows.get(i);
            while (at < before.size() && symbol(before.get(at)).compareTo(symbol(row)) < 0) {
                at++;
            }
            boolean same = at < before.size() && Arrays.equals(before.get(at).json(), row.json());
            changed[i] = same ? changedBefore[at] : version;
        }
        List<String> symbols = rows.stream().map(RowVersions::symbol).toList();
        List<String> symbolsBefore = former == null ? List.of() : former.mark.symbols();
        return new RowVersions(
                rows, changed, new Mark(venue, version, symbolsBefore.equals(symbols) ? symbolsBefore : symbols));
    }

    private static String symbol(EncodedRow row) {
        return row.rate().symbol();
    }

    Mark mark() {
        return mark;
    }

    /** Whether a row is new or changed since a list that was served. {@code then} is null when that list had no row of the venue. */
    boolean changedSince(String symbol, @Nullable Mark then) {
        int at = Collections.binarySearch(mark.symbols(), symbol);
        return at < 0 || changed[at] > known(then);
    }

    private long known(@Nullable Mark then) {
        return then == null || then.version() > mark.version() ? 0 : then.version();
    }

    /**
     * Adds the keys of rows that a list that was served had and this one has not.
     *
     * @param then null when it had no row of the venue
     */
    void gone(@Nullable Mark then, List<ContractKey> gone) {
        if (then != null && !then.symbols().equals(mark.symbols())) {
            for (String symbol : then.symbols()) {
                if (Collections.binarySearch(mark.symbols(), symbol) < 0) {
                    gone.add(new ContractKey(mark.venue(), symbol));
                }
            }
        }
    }
}
