package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. A list of whole venues is stored as the version and the symbols of each of them. Rows
 * have the version of their last change ({@link EncodedRow#version}), so a list takes no memory for rows that change. Of a short list of
 * other rows the keys are stored as well.
 */
public final class ServedLists {
    /** A client that polls every minute may miss three polls. */
    static final long KEPT_MS = 300_000;

    private static final int MOST = 512;

    /** Longer lists of some rows are not stored: 512 lists of this length take 20 MB. */
    private static final int MOST_KEYS = 500;

    private static final Comparator<ContractKey> ORDER =
            Comparator.comparing(ContractKey::venue).thenComparing(ContractKey::symbol);

    /** Lists that most clients and the page request, by tag; others, of which anybody can name many, do not displace them. */
    private final Map<String, Former> common = new LinkedHashMap<>();

    private final Map<String, Former> others = new LinkedHashMap<>();

    /** What a list that a client has lacks of the list now. */
    public record Delta(List<EncodedRow> changed, List<ContractKey> gone) {}

    /** The rows of a venue in a list that was served. */
    record Mark(long version, List<String> symbols) {
        private static final Mark NONE = new Mark(0, List.of());
    }

    /**
     * A list that was served.
     *
     * @param request stands for what was requested: equal for equal requests
     * @param keys of its rows; null for all rows of its venues
     */
    public record Former(
            Object request,
            long generatedAtMs,
            Map<String, Mark> venues,
            @Nullable Set<ContractKey> keys) {
        /**
         * The difference from this list to a later one of the same request.
         *
         * @param now the venues in scope, also those without rows, sorted
         * @param rows the rows of the later list, in its order
         */
        public Delta to(List<VenueRows> now, List<EncodedRow> rows) {
            var known = new HashMap<String, Long>();
            var gone = new ArrayList<ContractKey>();
            for (VenueRows venue : now) {
                Mark then = venues.getOrDefault(venue.venue(), Mark.NONE);
                // The list may be of a later snapshot than the one that this request reads.
                known.put(venue.venue(), then.version() > venue.version() ? 0 : then.version());
                if (keys == null && !then.symbols().equals(venue.symbols())) {
                    then.symbols().stream()
                            .filter(symbol -> venue.find(symbol) == null)
                            .forEach(symbol -> gone.add(new ContractKey(venue.venue(), symbol)));
                }
            }
            List<EncodedRow> changed = rows.stream()
                    .filter(row -> (keys != null && !keys.contains(row.rate().key()))
                            || row.version() > known.getOrDefault(row.rate().venue(), 0L))
                    .toList();
            return new Delta(changed, keys == null ? List.copyOf(gone) : gone(keys, rows));
        }

        private static List<ContractKey> gone(Set<ContractKey> keys, List<EncodedRow> rows) {
            var gone = new HashSet<>(keys);
            rows.forEach(row -> gone.remove(row.rate().key()));
            return gone.stream().sorted(ORDER).toList();
        }
    }

    /**
     * Remembers a list that is about to be served, by the tag of its identity bytes without quotes or coding.
     *
     * @param isCommon whether nearly all clients request such a list
     * @param request stands for what was requested: equal for equal requests
     * @param generatedAtMs generation time of its snapshot, epoch ms UTC
     * @param venues those in scope
     * @param keys of its rows; null for all rows of its venues
     */
    public synchronized void served(
            boolean isCommon,
            String tag,
            Object request,
            long generatedAtMs,
            List<VenueRows> venues,
            @Nullable Collection<ContractKey> keys) {
        Map<String, Former> byTag = isCommon ? common : others;
        if (byTag.containsKey(tag) || (keys != null && keys.size() > MOST_KEYS)) {
            return;
        }
        byTag.values().removeIf(list -> generatedAtMs - list.generatedAtMs() > KEPT_MS);
        if (byTag.size() >= MOST) {
            byTag.remove(byTag.keySet().iterator().next());
        }
        byTag.put(
                tag,
                new Former(
                        request,
                        generatedAtMs,
                        venues.stream()
                                .collect(Collectors.toUnmodifiableMap(
                                        VenueRows::venue, rows -> new Mark(rows.version(), rows.symbols()))),
                        keys == null ? null : Set.copyOf(keys)));
    }

    /** The list of a tag; null when it is unknown, too old or of another request. */
    public synchronized @Nullable Former since(String tag, Object request, long generatedAtMs) {
        Former then = common.getOrDefault(tag, others.get(tag));
        return then == null || !then.request().equals(request) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : then;
    }
}
