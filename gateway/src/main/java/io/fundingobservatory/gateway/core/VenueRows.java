package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.Rate;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One exchange's rows as of an instant, encoded and compressed once: the part of a snapshot that is rebuilt when that exchange
 * changes, or when one of its rows grows too old.
 */
public final class VenueRows {
    private final String venue;
    private final int removed;
    private final long asOfMs;
    private final long validUntilMs;
    private final int fresh;
    private final List<Row> rows;
    private final byte[] json;
    private final byte[] digest;
    private final SortedMap<String, Integer> unknown;
    private final Map<Coding, byte[]> segments = new EnumMap<>(Coding.class);
    private volatile @Nullable Index index;

    /** A row and where its bytes stand among the exchange's. */
    record Row(Rate rate, int from, int to) {}

    /** Rows by asset and by symbol, both in upper case. */
    private record Index(Map<String, List<Row>> byAsset, Map<String, List<Row>> bySymbol) {}

    private VenueRows(String venue, int removed, long asOfMs, long validUntilMs, List<Row> rows, byte[] json) {
        this.venue = venue;
        this.removed = removed;
        this.asOfMs = asOfMs;
        this.validUntilMs = validUntilMs;
        this.rows = List.copyOf(rows);
        this.fresh = (int) rows.stream().filter(row -> !row.rate().stale()).count();
        this.json = json;
        this.digest = Content.sha256(json);
        this.unknown = UnknownFields.count(rows.stream().map(Row::rate).toList());
    }

    /**
     * Encodes what the table holds of one venue.
     *
     * @param table its rows in any order, at any age
     * @param nowMs the instant at which ages are told
     */
    public static VenueRows of(String venue, Collection<Rate> table, long nowMs) {
        var out = new ByteArrayOutputStream(table.size() * 512);
        var rows = new ArrayList<Row>(table.size());
        long validUntil = Long.MAX_VALUE;
        for (Rate rate :
                table.stream().sorted(Comparator.comparing(Rate::symbol)).toList()) {
            if (rate.goneAt(nowMs)) {
                continue;
            }
            Rate row = rate.asOf(nowMs);
            validUntil = Math.min(
                    validUntil, row.observedAtMs() + (row.stale() ? Rate.REMOVED_AFTER_MS : Rate.STALE_AFTER_MS));
            if (!rows.isEmpty()) {
                out.write(',');
            }
            int from = out.size();
            out.writeBytes(Rate.CODEC.encode(row));
            rows.add(new Row(row, from, out.size()));
        }
        return new VenueRows(venue, table.size() - rows.size(), nowMs, validUntil, rows, out.toByteArray());
    }

    public String venue() {
        return venue;
    }

    /** Rows that are shown. */
    public int size() {
        return rows.size();
    }

    /** Rows that are shown and not yet marked as stale. */
    int fresh() {
        return fresh;
    }

    /**
     * Whether the rows and their marks are the same at that instant. Not so for an earlier one: a clock that was ahead may have taken
     * rows away for their age.
     */
    public boolean holdsAt(long nowMs) {
        return nowMs >= asOfMs && nowMs <= validUntilMs;
    }

    /** Rows left out because they are too old. */
    int removed() {
        return removed;
    }

    List<Row> rows() {
        return rows;
    }

    /** The row of one symbol; null when none is shown. */
    @Nullable
    Rate row(String symbol) {
        int low = 0;
        int high = rows.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Rate rate = rows.get(middle).rate();
            int order = rate.symbol().compareTo(symbol);
            if (order == 0) {
                return rate;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return null;
    }

    /** The rows of a scope that names assets or symbols, in the order of the list. */
    List<Row> rows(Scope scope) {
        if (scope.wholeVenues()) {
            return rows;
        }
        Index held = index();
        Collection<String> assets = scope.assets();
        Collection<String> symbols = scope.symbols();
        var found = new ArrayList<Row>();
        if (symbols != null) {
            symbols.forEach(symbol -> found.addAll(held.bySymbol().getOrDefault(symbol, List.of())));
            found.removeIf(row -> !scope.holds(row.rate()));
        } else if (assets != null) {
            assets.forEach(asset -> found.addAll(held.byAsset().getOrDefault(asset, List.of())));
        }
        found.sort(Comparator.comparingInt(Row::from));
        return found;
    }

    boolean hasAsset(String upperCase) {
        return index().byAsset().containsKey(upperCase);
    }

    boolean hasSymbol(String upperCase) {
        return index().bySymbol().containsKey(upperCase);
    }

    /** Built when a name is first asked for; built twice at worst, with the same content. */
    private Index index() {
        Index built = index;
        if (built == null) {
            var byAsset = new HashMap<String, List<Row>>();
            var bySymbol = new HashMap<String, List<Row>>();
            for (Row row : rows) {
                byAsset.computeIfAbsent(Scope.upper(row.rate().asset()), asset -> new ArrayList<>(1))
                        .add(row);
                bySymbol.computeIfAbsent(Scope.upper(row.rate().symbol()), symbol -> new ArrayList<>(1))
                        .add(row);
            }
            built = new Index(byAsset, bySymbol);
            index = built;
        }
        return built;
    }

    /** The rows as JSON objects with commas between them, without brackets. */
    byte[] json() {
        return json;
    }

    /** Those bytes in one coding; compressed the first time they are asked for, which is before a snapshot of them is published. */
    byte[] segment(Coding coding, ListCompression compression) {
        synchronized (segments) {
            return segments.computeIfAbsent(coding, c -> compression.segment(c, json));
        }
    }

    byte[] digest() {
        return digest;
    }

    /** How many rows leave a field null, by the reason. */
    SortedMap<String, Integer> unknown() {
        return unknown;
    }

    void copy(Row row, ByteArrayOutputStream out) {
        out.write(json, row.from(), row.to() - row.from());
    }
}
