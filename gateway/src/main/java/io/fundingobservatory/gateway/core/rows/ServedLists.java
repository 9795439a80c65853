package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import io.fundingobservatory.topics.records.Rate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. A list of whole venues is stored as the version and the symbols of each of them. Rows
 * have the version of their last change ({@link RowVersions}), so a list takes no memory for rows that change. Of a short list of other rows
 * the keys are stored as well.
 */
public final class ServedLists {
    /** A client that polls every minute may miss three polls. */
    static final long KEPT_MS = 300_000;

    private static final int MOST = 512;

    /** Longer lists of some rows are not stored: 512 lists of this length take 20 MB. */
    private static final int MOST_KEYS = 500;

    private static final Comparator<ContractKey> ORDER =
            Comparator.comparing(ContractKey::venue).thenComparing(ContractKey::symbol);

    private final Map<String, Former> byTag = new LinkedHashMap<>();

    /** What a list that a client has lacks of the list now. */
    public record Delta(List<Rate> changed, List<ContractKey> gone) {}

    /**
     * A list that was served.
     *
     * @param request stands for what was requested: equal for equal requests
     * @param keys of its rows; null for all rows of its venues
     */
    public record Former(
            Object request,
            long generatedAtMs,
            Map<String, RowVersions.Mark> venues,
            @Nullable Set<ContractKey> keys) {
        /**
         * The difference from this list to a later one of the same request.
         *
         * @param now the venues in scope, also those without rows, sorted
         * @param rows the rows of the later list, in its order
         */
        public Delta to(List<VenueRows> now, List<Rate> rows) {
            Map<String, RowVersions> versions = now.stream()
                    .map(VenueRows::versions)
                    .collect(Collectors.toMap(one -> one.mark().venue(), one -> one));
            List<Rate> changed = rows.stream()
                    .filter(row -> (keys != null && !keys.contains(row.key()))
                            || Objects.requireNonNull(versions.get(row.venue()))
                                    .changedSince(row.symbol(), venues.get(row.venue())))
                    .toList();
            return new Delta(changed, keys == null ? gone(versions.values()) : gone(keys, rows));
        }

        private List<ContractKey> gone(Collection<RowVersions> now) {
            var gone = new ArrayList<ContractKey>();
            now.forEach(versions -> versions.gone(venues.get(versions.mark().venue()), gone));
            gone.sort(ORDER);
            return gone;
        }

        private static List<ContractKey> gone(Set<ContractKey> keys, List<Rate> rows) {
            var gone = new HashSet<>(keys);
            rows.forEach(row -> gone.remove(row.key()));
            return gone.stream().sorted(ORDER).toList();
        }
    }

    /**
     * Remembers a list that is about to be served, by the tag of its identity bytes without quotes or coding.
     *
     * @param request stands for what was requested: equal for equal requests
     * @param generatedAtMs generation time of its snapshot, epoch ms UTC
     * @param venues those in scope
     * @param keys of its rows; null for all rows of its venues
     */
    public synchronized void served(
            String tag,
            Object request,
            long generatedAtMs,
            List<VenueRows> venues,
            @Nullable Collection<ContractKey> keys) {
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
                                .map(rows -> rows.versions().mark())
                                .collect(Collectors.toUnmodifiableMap(RowVersions.Mark::venue, mark -> mark)),
                        keys == null ? null : Set.copyOf(keys)));
    }

    /** The list of a tag; null when it is unknown, too old or of another request. */
    public synchronized @Nullable Former since(String tag, Object request, long generatedAtMs) {
        Former then = byTag.get(tag);
        return then == null || !then.request().equals(request) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : then;
    }
}
