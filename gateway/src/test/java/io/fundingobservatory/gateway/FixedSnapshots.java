package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.compression.Compressors;
import io.fundingobservatory.gateway.core.coding.ListCompression;
import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.VenueStatus;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Serves lists of so many rows of every exchange, without a broker; {@link #next} makes the next generation. */
@Singleton
@Primary
@Requires(property = FixedSnapshots.ROWS)
final class FixedSnapshots implements CurrentSnapshot {
    static final String ROWS = "test.rows-of-each-exchange";

    private final int rows;
    private final ListCompression compression = Compressors.forLists();
    private volatile Snapshot current;

    FixedSnapshots(@Property(name = ROWS) int rows) {
        this.rows = rows;
        this.current = generation(System.currentTimeMillis());
    }

    @Override
    public Snapshot current() {
        return current;
    }

    void next() {
        asOf(Math.max(System.currentTimeMillis(), current.generatedAtMs() + 1));
    }

    void asOf(long generatedAtMs) {
        current = generation(generatedAtMs);
    }

    private Snapshot generation(long atMs) {
        Map<String, VenueRows> held = new HashMap<>();
        Map<String, VenueStatus> statuses = new HashMap<>();
        for (ListedVenue venue : ListedVenue.ALL) {
            List<Rate> rates = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                rates.add(Samples.rate(venue.id(), "C" + i + "-USDT-SWAP", "C" + i, atMs));
            }
            held.put(venue.id(), VenueRows.of(venue.id(), rates, atMs));
            statuses.put(venue.id(), Samples.read(venue.id(), atMs, rows, Map.of()));
        }
        return Snapshot.of(atMs, atMs + 5_000, held, statuses, Map.of(), null, compression);
    }
}
