package io.fundingobservatory.gateway.core.coding;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A part of a body, in pieces that are never changed. Bodies that contain the same segment share its bytes in
 * every place where they are kept. The rows of a venue are one segment of every list until the venue changes.
 */
public final class Segment {
    private final List<byte[]> pieces;
    private final int length;
    private final boolean shared;

    private Segment(List<byte[]> pieces, boolean shared) {
        this.pieces = List.copyOf(pieces);
        this.shared = shared;
        long sum = 0;
        for (byte[] piece : this.pieces) {
            sum += piece.length;
        }
        this.length = Math.toIntExact(sum);
    }

    public static Segment of(byte[] bytes) {
        return new Segment(List.of(bytes), false);
    }

    public static Segment shared(List<byte[]> pieces) {
        return new Segment(pieces, true);
    }

    public List<byte[]> pieces() {
        return pieces;
    }

    public int length() {
        return length;
    }

    public boolean isShared() {
        return shared;
    }

    /** The bytes in one array, which is not kept. */
    public byte[] joined() {
        ByteBuffer all = ByteBuffer.allocate(length);
        pieces.forEach(all::put);
        return all.array();
    }

    public static long length(List<Segment> body) {
        long length = 0;
        for (Segment segment : body) {
            length += segment.length;
        }
        return length;
    }
}
