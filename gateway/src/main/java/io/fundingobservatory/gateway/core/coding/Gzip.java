package io.fundingobservatory.gateway.core.coding;

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
public final class Gzip {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    /** An empty stored block that no other follows. */
    private static final byte[] LAST = {1, 0, 0, (byte) 0xff, (byte) 0xff};

    private static final int LEVEL = 6;

    private static final Segment OPENING = Segment.shared(List.of(HEADER));

    private Gzip() {}

    /** One member of segments as {@link #segment} compresses them, and of what they inflate to. */
    public static List<Segment> member(List<Segment> deflated, List<Segment> identity) {
        var crc = new CRC32();
        for (Segment segment : identity) {
            segment.pieces().forEach(crc::update);
        }
        byte[] closing = ByteBuffer.allocate(LAST.length + Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(LAST)
                .putInt((int) crc.getValue())
                .putInt((int) Segment.length(identity))
                .array();
        var member = new ArrayList<Segment>(deflated.size() + 2);
        member.add(OPENING);
        member.addAll(deflated);
        member.add(Segment.of(closing));
        return member;
    }

    static List<Segment> whole(byte[] identity) {
        return member(List.of(Segment.of(segment(identity))), List.of(Segment.of(identity)));
    }

    /** One part of a body, deflated without reference to any other. */
    public static byte[] segment(byte[] identity) {
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
