package io.fundingobservatory.gateway.core.coding;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body, in pieces that are never changed. Bodies that contain the same segment share its bytes on the heap. They also share one
 * buffer outside it, which is made for the first response that sends it. The rows of a venue are one segment of every list until the venue
 * changes.
 */
public final class Segment {
    /** Counts what shared segments hold outside the heap, also those that a slow client is still being sent. */
    public static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(true);

    private final List<byte[]> pieces;
    private final int length;
    private final boolean shared;
    private @Nullable ByteBuf buffer;
    private boolean closed;

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

    /** One shared segment of the bytes of several. */
    public static Segment joined(List<Segment> segments) {
        return shared(
                segments.stream().flatMap(segment -> segment.pieces.stream()).toList());
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

    /** The bytes outside the heap; the caller releases them. A copy of its own where the segment is not shared, or is closed. */
    public synchronized ByteBuf buffer() {
        ByteBuf made = buffer;
        if (made == null) {
            made = ALLOCATOR.directBuffer(length, length);
            pieces.forEach(made::writeBytes);
            if (!shared || closed) {
                return made;
            }
            buffer = made;
        }
        return made.retainedDuplicate();
    }

    /** No new response will contain it: its buffer goes with the last response that is being sent. */
    public synchronized void close() {
        closed = true;
        ByteBuf made = buffer;
        if (made != null) {
            made.release();
            buffer = null;
        }
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
