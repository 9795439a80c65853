package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Content;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds prepared bytes outside the heap, where the socket takes them without a copy. From the heap each answer would be copied
 * whole, and a thousand clients that read slowly would hold a thousand copies: these share one. An answer that is being sent keeps
 * its bytes, whatever becomes of this memory; what all of them keep is bounded by refusing large answers.
 */
final class DirectBytes {
    /** Smaller pieces are copied as fast as they are looked up. */
    private static final long LEAST = 4_096;

    private static final long ALL = 48L << 20;
    /** Held here, and kept by answers that are being sent. */
    private static final long ALL_KEPT = 128L << 20;
    /** Larger than the whole list packed: what is larger can be asked for in a coding. */
    private static final long ALWAYS = 2L << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    private final IdentityHashMap<List<byte[]>, ByteBuf> held = new IdentityHashMap<>();
    private long bytes;

    /** The bytes as one buffer, which the receiver releases; null when too much is being sent already for one so large. */
    @Nullable
    ByteBuf of(List<byte[]> pieces) {
        long length = Content.length(pieces);
        if (length < LEAST) {
            return Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new));
        }
        synchronized (held) {
            ByteBuf direct = held.get(pieces);
            if (direct == null) {
                if (length > ALWAYS && allocator.metric().usedDirectMemory() + length > ALL_KEPT) {
                    return null;
                }
                direct = allocator.directBuffer((int) length, (int) length);
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
