package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. A list is stored as the version and the symbols of each of its venues. Rows have
 * the version of their last change ({@link RowVersions}), so a list takes no memory for rows that change.
 */
public final class ServedSnapshots {
    /** A client that polls every minute may miss three polls. */
    static final long KEPT_MS = 300_000;

    private static final int MOST = 512;

    /**
     * The difference between a list that a client has and the list of a later snapshot.
     *
     * @param changed rows that are new or changed, sorted by venue and symbol
     * @param gone keys of rows that the later list does not have, in the same order
     */
    public record Delta(List<EncodedRow> changed, List<ContractKey> gone) {}

    /** A list that was served: its venues as they were. */
    private record Served(Object scope, long generatedAtMs, Map<String, RowVersions.Mark> venues) {}

    private final Map<String, Served> byTag = new LinkedHashMap<>();

    /**
     * Remembers a list that is about to be served, by the tag of its identity bytes without quotes or coding.
     *
     * @param scope stands for its scope: equal for equal ones
     * @param generatedAtMs generation time of its snapshot, epoch ms UTC
     */
    public synchronized void served(String tag, Object scope, long generatedAtMs, List<VenueRows> venues) {
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
                                .map(rows -> rows.versions().mark())
                                .collect(Collectors.toUnmodifiableMap(RowVersions.Mark::venue, mark -> mark))));
    }

    /**
     * Returns what changed since the list of a tag; null when it is unknown, too old or of another scope.
     *
     * @param venues every venue of that scope now, also those without rows, sorted
     */
    public @Nullable Delta since(String tag, Object scope, long generatedAtMs, List<VenueRows> venues) {
        Served then = known(tag, scope, generatedAtMs);
        return then == null ? null : between(then.venues(), venues);
    }

    public boolean knows(String tag, Object scope, long generatedAtMs) {
        return known(tag, scope, generatedAtMs) != null;
    }

    private synchronized @Nullable Served known(String tag, Object scope, long generatedAtMs) {
        Served then = byTag.get(tag);
        return then == null || !then.scope().equals(scope) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : then;
    }

    private static Delta between(Map<String, RowVersions.Mark> then, List<VenueRows> now) {
        var changed = new ArrayList<EncodedRow>();
        var gone = new ArrayList<ContractKey>();
        for (VenueRows venue : now) {
            RowVersions versions = venue.versions();
            versions.since(then.get(versions.mark().venue()), changed, gone);
        }
        return new Delta(changed, gone);
    }
}
