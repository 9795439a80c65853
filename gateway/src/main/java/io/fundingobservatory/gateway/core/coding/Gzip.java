package io.fundingobservatory.gateway.core.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Joins parts that were deflated on their own into one gzip member, so that only what changed is compressed again.
 *
 * <p>A part ends with a full flush: it ends on a byte and nothing after it refers back to it (RFC 1951 §3.2, RFC 1952).
 */
public final class Gzip {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int LEVEL = 6;

    /** Shorter parts are stored as they are: a block with its own code tables would be longer. */
    private static final int STORED_BELOW = 64;

    private static final Segment OPENING = Segment.shared(List.of(HEADER));

    private Gzip() {}

    /** One part of a body, deflated without reference to any other. */
    public static byte[] segment(byte[] identity) {
        return identity.length < STORED_BELOW ? stored(identity, false) : deflate(identity);
    }

    /**
     * One member of segments.
     *
     * @param deflated the segments, as {@link #segment} compresses them
     * @param identity what they inflate to
     */
    public static List<Segment> member(List<Segment> deflated, List<Segment> identity) {
        byte[] last = stored(new byte[0], true);
        byte[] closing = ByteBuffer.allocate(last.length + Long.BYTES)
                .put(last)
                .put(trailer(identity))
                .array();
        var member = new ArrayList<Segment>(deflated.size() + 2);
        member.add(OPENING);
        member.addAll(deflated);
        member.add(Segment.of(closing));
        return member;
    }

    /** One whole gzip member of one piece. */
    static byte[] whole(byte[] identity) {
        var out = new ByteArrayOutputStream(Math.max(64, identity.length / 6));
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(identity);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** A few bytes as they are, as one block that others may follow unless it is the last. */
    private static byte[] stored(byte[] identity, boolean last) {
        return ByteBuffer.allocate(5 + identity.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (last ? 1 : 0))
                .putShort((short) identity.length)
                .putShort((short) ~identity.length)
                .put(identity)
                .array();
    }

    /** CRC-32 and length of what the member inflates to. */
    private static byte[] trailer(List<Segment> identity) {
        var crc = new CRC32();
        for (Segment segment : identity) {
            segment.pieces().forEach(crc::update);
        }
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt((int) Segment.length(identity))
                .array();
    }

    private static byte[] deflate(byte[] identity) {
        var deflater = new Deflater(LEVEL, true);
        try {
            deflater.setInput(identity);
            var out = new ByteArrayOutputStream(Math.max(64, identity.length / 6));
            byte[] buffer = new byte[16_384];
            int n;
            do {
                n = deflater.deflate(buffer, 0, buffer.length, Deflater.FULL_FLUSH);
                out.write(buffer, 0, n);
            } while (n == buffer.length);
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
