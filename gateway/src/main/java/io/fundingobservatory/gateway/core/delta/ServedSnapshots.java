package io.fundingobservatory.gateway.core.delta;

import io.fundingobservatory.gateway.core.rows.VenuePrint;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. Prints of one version of a venue share its hashes, and all prints of a
 * venue share its symbols. 300 s of lists take five versions of each venue, of 16 bytes a row.
 */
public final class ServedSnapshots {
    /** A client that polls every minute may miss three polls. */
    static final long KEPT_MS = 300_000;

    private static final int MOST = 512;

    /** A list that was served: the prints of its venues with rows. */
    private record Served(String scope, long generatedAtMs, Map<String, VenuePrint> venues) {}

    private final Map<String, Served> byTag = new LinkedHashMap<>();
    private final Map<String, VenuePrint> newest = new HashMap<>();

    /**
     * Remembers a list that is about to be served, by the tag of its identity bytes without quotes or coding.
     *
     * @param scope canonical name of its scope
     * @param generatedAtMs generation time of its snapshot, epoch ms UTC
     */
    public synchronized void served(String tag, String scope, long generatedAtMs, List<VenueRows> venues) {
        if (byTag.containsKey(tag)) {
            return;
        }
        byTag.values().removeIf(list -> generatedAtMs - list.generatedAtMs() > KEPT_MS);
        if (byTag.size() >= MOST) {
            byTag.remove(byTag.keySet().iterator().next());
        }
        byTag.put(
                tag,
                new Served(
                        scope,
                        generatedAtMs,
                        venues.stream()
                                .map(this::kept)
                                .collect(Collectors.toUnmodifiableMap(VenuePrint::venue, print -> print))));
    }

    private VenuePrint kept(VenueRows venue) {
        VenuePrint print = venue.prints();
        return Objects.requireNonNull(newest.compute(print.venue(), (name, former) -> print.withSymbolsOf(former)));
    }

    /**
     * Returns what changed since the list of a tag; null when it is unknown, too old or of another scope.
     *
     * @param venues every venue of that scope now, also those without rows, sorted
     */
    public @Nullable SnapshotDelta since(String tag, String scope, long generatedAtMs, List<VenueRows> venues) {
        Served then;
        synchronized (this) {
            then = byTag.get(tag);
        }
        return then == null || !then.scope().equals(scope) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : SnapshotDelta.between(then.venues(), venues);
    }
}
