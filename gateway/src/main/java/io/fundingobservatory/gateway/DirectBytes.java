package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Content;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Holds prepared bytes outside the heap, where the socket takes them without a copy. From the heap each answer would be copied
 * whole, and a thousand clients that read slowly would hold a thousand copies: these share one. An answer that is being sent keeps
 * its bytes, whatever becomes of this memory.
 */
final class DirectBytes {
    /** Smaller pieces are copied as fast as they are looked up. */
    private static final long LEAST = 4_096;
    /** Larger than any list. */
    private static final long MOST = 16L << 20;

    private static final long ALL = 48L << 20;

    private final IdentityHashMap<List<byte[]>, ByteBuf> held = new IdentityHashMap<>();
    private long bytes;

    /** The bytes as one buffer, which the receiver releases. */
    ByteBuf of(List<byte[]> pieces) {
        long length = Content.length(pieces);
        if (length < LEAST || length > MOST) {
            return Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new));
        }
        synchronized (held) {
            ByteBuf direct = held.get(pieces);
            if (direct == null) {
                direct = Unpooled.directBuffer((int) length, (int) length);
                for (byte[] piece : pieces) {
                    direct.writeBytes(piece);
                }
                makeRoom(length);
                held.put(pieces, direct);
            }
            return direct.retainedDuplicate();
        }
    }

    /** Answers of old snapshots are never asked for again: when the memory is full, it starts anew. */
    private void makeRoom(long length) {
        bytes += length;
        if (bytes > ALL) {
            held.values().forEach(ByteBuf::release);
            held.clear();
            bytes = length;
        }
    }
}
