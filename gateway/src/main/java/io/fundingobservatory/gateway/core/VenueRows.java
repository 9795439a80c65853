package io.fundingobservatory.gateway.core;

import io.fundingobservatory.topics.Rate;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One exchange's rows as of an instant, encoded and deflated once: the part of a snapshot that is rebuilt when that exchange
 * changes, or when one of its rows grows too old.
 */
public final class VenueRows {
    private final String venue;
    private final int tableRows;
    private final int removed;
    private final long validUntilMs;
    private final List<Row> rows;
    private final byte[] json;
    private final byte[] deflated;
    private final byte[] digest;
    private final SortedMap<String, Integer> unknown;

    /** A row and where its bytes stand in the fragment. */
    record Row(Rate rate, int from, int to) {}

    private VenueRows(String venue, int tableRows, int removed, long validUntilMs, List<Row> rows, byte[] json) {
        this.venue = venue;
        this.tableRows = tableRows;
        this.removed = removed;
        this.validUntilMs = validUntilMs;
        this.rows = List.copyOf(rows);
        this.json = json;
        this.deflated = json.length == 0 ? new byte[0] : Gzip.part(json);
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
        return new VenueRows(venue, table.size(), table.size() - rows.size(), validUntil, rows, out.toByteArray());
    }

    public String venue() {
        return venue;
    }

    /** Rows that are shown. */
    public int size() {
        return rows.size();
    }

    /** Rows that the table holds, those too old to be shown included. */
    public int tableRows() {
        return tableRows;
    }

    /** Whether no row changes its mark or disappears by age until then. */
    public boolean holdsAt(long nowMs) {
        return nowMs <= validUntilMs;
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

    /** The rows as JSON objects with commas between them, without brackets. */
    byte[] json() {
        return json;
    }

    byte[] deflated() {
        return deflated;
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
