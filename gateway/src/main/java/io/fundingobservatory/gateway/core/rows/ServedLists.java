package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.ContractKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists that were served in the last minutes, by tag. Of each are stored its symbols, and the newest version of its rows. Rows have the
 * version of their last change ({@link EncodedRow#version}), so a list takes no memory for rows that change.
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

    /**
     * A list that was served.
     *
     * @param request stands for what was requested: equal for equal requests
     * @param version the newest version of the rows of its venues; rows that are made later have greater ones
     * @param symbols of its rows, by venue
     */
    public record Former(Object request, long generatedAtMs, long version, Map<String, List<String>> symbols) {
        /**
         * The difference from this list to a later one of the same request.
         *
         * @param now the venues in scope, also those without rows
         * @param rows the rows of the later list, in its order
         */
        public Delta to(List<VenueRows> now, List<EncodedRow> rows) {
            // The list may be of a later snapshot than the one that this request reads.
            long known = version > newest(now) ? 0 : version;
            var gone = new HashSet<ContractKey>();
            symbols.forEach((venue, of) -> of.forEach(symbol -> gone.add(new ContractKey(venue, symbol))));
            List<EncodedRow> changed = rows.stream()
                    .filter(row -> !gone.remove(row.rate().key()) || row.version() > known)
                    .toList();
            return new Delta(changed, gone.stream().sorted(ORDER).toList());
        }
    }

    private static long newest(List<VenueRows> venues) {
        return venues.stream().mapToLong(VenueRows::version).max().orElse(0);
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
                        newest(venues),
                        keys == null
                                ? venues.stream()
                                        .collect(Collectors.toUnmodifiableMap(VenueRows::venue, VenueRows::symbols))
                                : keys.stream()
                                        .collect(Collectors.groupingBy(
                                                ContractKey::venue,
                                                Collectors.mapping(ContractKey::symbol, Collectors.toList())))));
    }

    /** The list of a tag; null when it is unknown, too old or of another request. */
    public synchronized @Nullable Former since(String tag, Object request, long generatedAtMs) {
        Former then = common.getOrDefault(tag, others.get(tag));
        return then == null || !then.request().equals(request) || generatedAtMs - then.generatedAtMs() > KEPT_MS
                ? null
                : then;
    }
}
