package io.fundingobservatory.gateway.core.coding;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The codings that lists are prepared in. Gzip is joined of venues that are compressed once. Other codings cannot be joined into one
 * stream that every client decodes, so they compress the whole list of each snapshot.
 *
 * @param whole the compressors of those other codings
 */
public record SnapshotCompression(Map<Coding, Compressor> whole) {
    /** What every Java platform can do. */
    public static final SnapshotCompression GZIP = new SnapshotCompression(Map.of());

    /**
     * A body in each coding.
     *
     * @param deflated its segments as {@link Gzip#segment} compresses them
     * @param everyCoding whether to compress it in those codings too that cost the whole body: the list that all clients share
     */
    public Map<Coding, List<Segment>> pack(List<Segment> identity, List<Segment> deflated, boolean everyCoding) {
        var packed = new EnumMap<Coding, List<Segment>>(Coding.class);
        packed.put(Coding.GZIP, Gzip.member(deflated, identity));
        if (everyCoding) {
            whole.forEach(
                    (coding, compressor) -> packed.put(coding, List.of(Segment.of(compressor.compress(identity)))));
        }
        return packed;
    }
}
