package io.fundingobservatory.gateway.core;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Joins parts that were deflated on their own into one gzip member, so that only what changed is compressed again.
 *
 * <p>A part ends with a full flush: it ends on a byte and nothing after it refers back to it (RFC 1951 §3.2, RFC 1952).
 */
final class Gzip {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int LEVEL = 6;
    private static final int STORED_MAX = 0xffff;

    private Gzip() {}

    /** Raw deflate blocks that other blocks may follow. */
    static byte[] part(byte[] identity) {
        return deflate(identity, true, Deflater.FULL_FLUSH);
    }

    /** One whole gzip member of one piece. */
    static byte[] whole(byte[] identity) {
        byte[] deflated = deflate(identity, false, Deflater.NO_FLUSH);
        return ByteBuffer.allocate(HEADER.length + deflated.length + Long.BYTES)
                .put(HEADER)
                .put(deflated)
                .put(trailer(List.of(identity)))
                .array();
    }

    /** A few bytes as they are, as one block that others may follow. */
    static byte[] stored(byte[] identity, boolean last) {
        if (identity.length > STORED_MAX) {
            throw new IllegalArgumentException("a stored block holds at most 65535 bytes");
        }
        return ByteBuffer.allocate(5 + identity.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (last ? 1 : 0))
                .putShort((short) identity.length)
                .putShort((short) ~identity.length)
                .put(identity)
                .array();
    }

    /**
     * One gzip member of deflated parts.
     *
     * @param deflated the parts, the last one marked as last
     * @param identity what they inflate to, in the same order
     */
    static List<byte[]> join(List<byte[]> deflated, List<byte[]> identity) {
        var pieces = new ArrayList<byte[]>(deflated.size() + 2);
        pieces.add(HEADER);
        pieces.addAll(deflated);
        pieces.add(trailer(identity));
        return List.copyOf(pieces);
    }

    private static byte[] trailer(List<byte[]> identity) {
        var crc = new CRC32();
        long length = 0;
        for (byte[] piece : identity) {
            crc.update(piece);
            length += piece.length;
        }
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt((int) length)
                .array();
    }

    private static byte[] deflate(byte[] identity, boolean open, int flush) {
        var deflater = new Deflater(LEVEL, true);
        try {
            deflater.setInput(identity);
            if (!open) {
                deflater.finish();
            }
            var out = new ByteArrayOutputStream(Math.max(64, identity.length / 6));
            byte[] buffer = new byte[16_384];
            int n;
            do {
                n = deflater.deflate(buffer, 0, buffer.length, flush);
                out.write(buffer, 0, n);
            } while (n == buffer.length || (!open && !deflater.finished()));
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
