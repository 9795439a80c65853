package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Gzip;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One venue's rows as of an instant, compressed once. This part of a snapshot is rebuilt when the venue
 * changes, or when one of its rows grows too old.
 */
public final class VenueRows {
    private static final byte[] COMMA = {','};

    private static final AtomicLong LAST_VERSION = new AtomicLong();

    private final int removed;
    private final long asOfMs;
    private final long validUntilMs;
    private final List<EncodedRow> rows;
    private final String venue;
    private final long version;
    private final List<String> symbols;
    private final byte[] digest;
    private final SortedMap<String, Integer> nulls;
    /** As columns, or as objects. */
    private final Map<Boolean, Part> parts = new HashMap<>();

    private boolean closed;

    private final List<EncodedRow> byAsset;
    private final List<EncodedRow> bySymbol;

    /** The rows between the brackets of a list: as they are, and as a part of a gzip member. */
    public record Part(Segment plain, Segment deflated) {
        private static Part of(List<byte[]> pieces) {
            Segment plain = Segment.shared(pieces);
            return new Part(plain, Segment.shared(List.of(Gzip.segment(plain.joined()))));
        }

        private void close() {
            plain.close();
            deflated.close();
        }
    }

    /**
     * Takes the rows of one venue from the table, in any order and at any age.
     *
     * @param nowMs the instant as of which ages are computed, epoch ms UTC
     * @param former the venue's rows before; null where there are none
     */
    public VenueRows(String venue, Collection<EncodedRow> table, long nowMs, @Nullable VenueRows former) {
        this.venue = venue;
        this.version = LAST_VERSION.incrementAndGet();
        var shown = new ArrayList<EncodedRow>(table.size());
        long validUntil = Long.MAX_VALUE;
        for (EncodedRow entry : sorted(table.stream(), VenueRows::symbol)) {
            if (entry.rate().goneAt(nowMs)) {
                continue;
            }
            EncodedRow row = entry.asOf(nowMs);
            validUntil = Math.min(
                    validUntil,
                    row.rate().observedAtMs() + (row.rate().stale() ? Rate.REMOVED_AFTER_MS : Rate.STALE_AFTER_MS));
            EncodedRow before = former == null ? null : former.find(symbol(row));
            shown.add(
                    row.since(before != null && Arrays.equals(before.json(), row.json()) ? before.version() : version));
        }
        this.removed = table.size() - shown.size();
        this.asOfMs = nowMs;
        this.validUntilMs = validUntil;
        this.rows = List.copyOf(shown);
        List<String> named = rows.stream().map(VenueRows::symbol).toList();
        this.symbols = former != null && former.symbols.equals(named) ? former.symbols : named;
        this.digest = Content.sha256(rows.stream().map(EncodedRow::json).toList());
        this.nulls = Missing.nulls(rows, null);
        this.byAsset = sorted(rows.stream(), VenueRows::upperAsset);
        this.bySymbol = sorted(rows.stream(), VenueRows::upperSymbol);
    }

    private static String symbol(EncodedRow row) {
        return row.rate().symbol();
    }

    private static String upperSymbol(EncodedRow row) {
        return Scope.upper(row.rate().symbol());
    }

    private static String upperAsset(EncodedRow row) {
        return Scope.upper(row.rate().asset());
    }

    private static List<EncodedRow> sorted(Stream<EncodedRow> rows, Function<EncodedRow, String> name) {
        return rows.sorted(Comparator.comparing(name)).toList();
    }

    public int size() {
        return rows.size();
    }

    /** Rows that are shown and not yet marked as stale. */
    public long fresh() {
        return rows.stream().filter(row -> !row.rate().stale()).count();
    }

    /**
     * Whether the rows and their marks are the same at that instant. Not so for an earlier one: a clock that was ahead may have taken
     * rows away for their age.
     */
    public boolean holdsAt(long nowMs) {
        return nowMs >= asOfMs && nowMs <= validUntilMs;
    }

    /** Rows left out because they are too old. */
    public int removed() {
        return removed;
    }

    /** The rows that are shown, in the order of their symbols. */
    public List<EncodedRow> rows() {
        return rows;
    }

    /** The row of one symbol; null when none is shown. */
    public @Nullable EncodedRow find(String symbol) {
        List<EncodedRow> found = matching(rows, VenueRows::symbol, symbol);
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The rows of a scope, in the order of the list. */
    public List<EncodedRow> rows(Scope scope) {
        if (scope.wholeVenues()) {
            return rows;
        }
        Collection<String> assets = scope.assets();
        Collection<String> symbols = scope.symbols();
        Stream<EncodedRow> named = symbols != null
                ? symbols.stream().flatMap(symbol -> matching(bySymbol, VenueRows::upperSymbol, symbol).stream())
                : assets != null
                        ? assets.stream().flatMap(asset -> matching(byAsset, VenueRows::upperAsset, asset).stream())
                        : rows.stream();
        return sorted(named.filter(row -> scope.holds(row.rate())), VenueRows::symbol);
    }

    /** The rows of that name, of rows that are sorted by it. */
    private static List<EncodedRow> matching(List<EncodedRow> sorted, Function<EncodedRow, String> name, String value) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (name.apply(sorted.get(middle)).compareTo(value) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while (high < sorted.size() && name.apply(sorted.get(high)).equals(value)) {
            high++;
        }
        return sorted.subList(low, high);
    }

    /** Whether a row that is shown is of that asset, named in upper case. */
    public boolean hasAsset(String upperCase) {
        return !matching(byAsset, VenueRows::upperAsset, upperCase).isEmpty();
    }

    /** Whether a row that is shown has that symbol, named in upper case. */
    public boolean hasSymbol(String upperCase) {
        return !matching(bySymbol, VenueRows::upperSymbol, upperCase).isEmpty();
    }

    /** The rows as objects, or as arrays with decimals as text; made on the first call. Objects are made before a snapshot is published. */
    public synchronized Part part(boolean columns) {
        Part part = parts.computeIfAbsent(
                columns, made -> Part.of(columns ? List.of(EncodedRow.COLUMNS.arrays(rows)) : objects()));
        if (closed) {
            part.close();
        }
        return part;
    }

    private List<byte[]> objects() {
        var pieces = new ArrayList<byte[]>(2 * rows.size());
        for (EncodedRow row : rows) {
            if (!pieces.isEmpty()) {
                pieces.add(COMMA);
            }
            pieces.add(row.json());
        }
        return pieces;
    }

    /** No new list will contain these rows: their buffers go with the last response that is being sent. */
    public synchronized void close() {
        closed = true;
        parts.values().forEach(Part::close);
    }

    String venue() {
        return venue;
    }

    /** Counts upwards in this process, over the rows of all venues. */
    long version() {
        return version;
    }

    /** The symbols of the rows, sorted; shared by consecutive versions with the same symbols. */
    List<String> symbols() {
        return symbols;
    }

    /** The SHA-256 of the rows' bytes: equal exactly when they are. Shared, never changed. */
    public byte[] digest() {
        return digest;
    }

    /** How many rows leave a field null, by the reason. */
    SortedMap<String, Integer> nulls() {
        return nulls;
    }
}
