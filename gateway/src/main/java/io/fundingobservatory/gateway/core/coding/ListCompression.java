package io.fundingobservatory.gateway.core.coding;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The codings that lists are prepared in: gzip everywhere, and those whose native library this machine can load. */
public final class ListCompression {
    /** What every Java platform can do. */
    public static final ListCompression GZIP = new ListCompression(Map.of());

    private final Map<Coding, SegmentCompressor> compressors = new EnumMap<>(Coding.class);

    private ListCompression(Map<Coding, ? extends SegmentCompressor> others) {
        compressors.put(Coding.GZIP, Gzip.SEGMENTS);
        compressors.putAll(others);
    }

    /** Gzip and the given ones. */
    public static ListCompression withGzipAnd(Map<Coding, ? extends SegmentCompressor> others) {
        return new ListCompression(others);
    }

    /** The codings there are. */
    public Set<Coding> codings() {
        return Set.copyOf(compressors.keySet());
    }

    /** One segment in one coding, which {@link #join} puts into a body. */
    public byte[] segment(Coding coding, byte[] identity) {
        return of(coding).segment(identity);
    }

    /** One body of segments in one coding. */
    public List<byte[]> join(Coding coding, List<byte[]> segments, List<byte[]> identity) {
        SegmentCompressor compressor = of(coding);
        var pieces = new ArrayList<byte[]>(segments.size() + 2);
        pieces.add(compressor.opening());
        pieces.addAll(segments);
        pieces.add(compressor.closing(identity));
        return List.copyOf(pieces);
    }

    private SegmentCompressor of(Coding coding) {
        return Objects.requireNonNull(compressors.get(coding), "a coding that is not prepared");
    }
}
