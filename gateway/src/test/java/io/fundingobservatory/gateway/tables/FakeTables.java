package io.fundingobservatory.gateway.tables;

import io.fundingobservatory.gateway.core.pairs.AssetPairs;
import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.rows.PublishedStatus;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Tables in a map, which tell what changed in them as the real ones do. */
public final class FakeTables implements TableReader {
    private final Changes changes;
    private final Map<String, Map<String, Rate>> rows = new HashMap<>();
    private final Map<String, PublishedStatus> statuses = new HashMap<>();
    public boolean closing;

    /** The progress of streams as Kafka reports it; the number of requests for it. */
    public CompletableFuture<Void> processed = new CompletableFuture<>();

    public int requests;

    /** How many quotes streams has still to process. */
    public long quotesBehind = -1;

    /** The rows of the next venue that is read fail while they are looked at, once. */
    public boolean failOnce;

    public FakeTables(Changes changes) {
        this.changes = changes;
    }

    public void put(Rate row) {
        rows.computeIfAbsent(row.venue(), venue -> new TreeMap<>()).put(row.symbol(), row);
        changes.rowsOf(row.venue());
    }

    public void put(VenueStatus status, long publishedAtMs) {
        statuses.put(status.venue(), new PublishedStatus(status, publishedAtMs));
        changes.statuses();
    }

    public void put(CarryTable table) {
        changes.pairsOf(table.asset(), AssetPairs.of(table));
    }

    /** The row of a contract is gone. */
    public void remove(String venue, String symbol) {
        rows.get(venue).remove(symbol);
        changes.rowsOf(venue);
    }

    /** The pair table of an asset is gone. */
    public void remove(String asset) {
        changes.pairsOf(asset, null);
    }

    @Override
    public List<EncodedRow> rowsOf(String venue) {
        if (closing) {
            throw new IllegalStateException("the tables are being closed");
        }
        List<EncodedRow> read = rows.getOrDefault(venue, Map.of()).values().stream()
                .map(row -> EncodedRow.stored(row, Rate.CODEC.encode(row)))
                .toList();
        if (!failOnce || read.isEmpty()) {
            return read;
        }
        failOnce = false;
        return new AbstractList<>() {
            private boolean failed;

            @Override
            public EncodedRow get(int index) {
                if (!failed) {
                    failed = true;
                    throw new IllegalStateException("a native compressor");
                }
                return read.get(index);
            }

            @Override
            public int size() {
                return read.size();
            }
        };
    }

    /** Decoded at each call: no two calls return the same objects. */
    @Override
    public Map<String, PublishedStatus> statuses() {
        var decoded = new HashMap<>(statuses);
        decoded.replaceAll((venue, stored) -> new PublishedStatus(
                Tables.decode(VenueStatus.CODEC, VenueStatus.CODEC.encode(stored.status())), stored.publishedAtMs()));
        return decoded;
    }

    @Override
    public Map<String, VenueQuality> qualities() {
        return Map.of();
    }

    @Override
    public long quotesBehind() {
        return quotesBehind;
    }

    @Override
    public Future<?> quotesProcessed() {
        requests++;
        return processed;
    }
}
