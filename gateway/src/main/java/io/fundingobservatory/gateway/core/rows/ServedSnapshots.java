package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. Lists share the print of a venue that did not change between them. 300 s of lists take
 * five versions of each venue, of 20 bytes a row.
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

    /** A list that was served: the prints of its venues with rows. */
    private record Served(String scope, long generatedAtMs, Map<String, VenuePrint> venues) {}

    private final Map<String, Served> byTag = new LinkedHashMap<>();

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
                                .map(VenueRows::prints)
                                .collect(Collectors.toUnmodifiableMap(VenuePrint::venue, print -> print))));
    }

    /**
     * Returns what changed since the list of a tag; null when it is unknown, too old or of another scope.
     *
     * @param venues every venue of that scope now, also those without rows, sorted
     */
    public @Nullable Delta since(String tag, String scope, long generatedAtMs, List<VenueRows> venues) {
        Served then;
        synchronized (this) {
            then = byTag.get(tag);
        }
        return then == null || !then.scope().equals(scope) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : between(then.venues(), venues);
    }

    /** Compares the prints of the list that a client has, by venue, with the same venues of the later list, sorted. */
    private static Delta between(Map<String, VenuePrint> then, List<VenueRows> now) {
        var changed = new ArrayList<EncodedRow>();
        var gone = new ArrayList<ContractKey>();
        for (VenueRows venue : now) {
            VenuePrint print = venue.prints();
            VenuePrint former = then.get(print.venue());
            if (former == null) {
                changed.addAll(venue.rows());
            } else if (!Arrays.equals(former.digest(), print.digest())) {
                former.compare(print, venue.rows(), changed, gone);
            }
        }
        return new Delta(changed, gone);
    }
}
