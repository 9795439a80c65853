package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Content;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds prepared bytes that are asked for again outside the heap, where the socket takes them without a copy. An answer that is
 * being sent keeps its bytes, whatever becomes of this memory.
 */
final class DirectBytes {
    /** Smaller pieces are copied as fast as they are looked up. */
    private static final long LEAST = 4_096;
    /** Larger ones are the list without any coding, which hardly anybody asks for. */
    private static final long MOST = 4L << 20;

    private static final long ALL = 16L << 20;

    private final IdentityHashMap<List<byte[]>, Seen> seen = new IdentityHashMap<>();
    private long bytes;

    /** Bytes that were asked for once, or more often. */
    private static final class Seen {
        private @Nullable ByteBuf direct;
    }

    /** The bytes as one buffer, which the receiver releases. */
    ByteBuf of(List<byte[]> pieces) {
        long length = Content.length(pieces);
        if (length < LEAST || length > MOST) {
            return onHeap(pieces);
        }
        synchronized (this) {
            Seen known = seen.get(pieces);
            if (known == null) {
                remember(pieces, length);
                return onHeap(pieces);
            }
            ByteBuf direct = known.direct;
            if (direct == null) {
                direct = Unpooled.directBuffer((int) length, (int) length);
                for (byte[] piece : pieces) {
                    direct.writeBytes(piece);
                }
                known.direct = direct;
            }
            return direct.retainedDuplicate();
        }
    }

    /** Answers of old snapshots are never asked for again: when the memory is full, it starts anew. */
    private void remember(List<byte[]> pieces, long length) {
        bytes += length;
        if (bytes > ALL) {
            for (Seen old : seen.values()) {
                if (old.direct != null) {
                    old.direct.release();
                }
            }
            seen.clear();
            bytes = length;
        }
        seen.put(pieces, new Seen());
    }

    private static ByteBuf onHeap(List<byte[]> pieces) {
        return pieces.size() == 1
                ? Unpooled.wrappedBuffer(pieces.getFirst())
                : Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new));
    }
}
