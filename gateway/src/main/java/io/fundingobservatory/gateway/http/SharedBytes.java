package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import jakarta.inject.Singleton;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds prepared bytes outside the heap, where the socket takes them without a copy, one copy for all answers that have the same
 * ones; counts what is on its way to each client, until the last byte of it has been handed to the socket; bounds both.
 */
@Singleton
final class SharedBytes {
    /** Smaller answers are handed over from the heap: they are copied as fast as they are looked up. */
    private static final long MIN_SHARED_BYTES = 4_096;

    /** Larger than the whole list packed: what is larger can be asked for in a coding. */
    private static final long LARGE_BYTES = 2L << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final IdentityHashMap<List<byte[]>, ByteBuf> held = new IdentityHashMap<>();
    private final Map<Address, Long> underWay = new ConcurrentHashMap<>();
    private final long clientMost;
    private final long most;
    private long heldBytes;

    SharedBytes(PortSettings settings, MeterRegistry meters) {
        this.clientMost = (long) settings.clientAnswersMb() << 20;
        this.most = (long) settings.answersMb() << 20;
        Gauge.builder(
                        "observatory.gateway.answers.bytes",
                        allocator,
                        a -> a.metric().usedDirectMemory())
                .description("memory outside the heap that prepared answers and those on their way take")
                .baseUnit("bytes")
                .register(meters);
    }

    /** Whether an answer may be sent. */
    enum Room {
        YES,
        /** So much is on its way to this client that it is to read that first. */
        FULL_FOR_CLIENT,
        /** The memory for answers is used up. */
        FULL
    }

    Room room(PreparedBody body) {
        long length = Content.length(body.pieces());
        if (underWay.getOrDefault(body.client(), 0L) + length > clientMost) {
            return Room.FULL_FOR_CLIENT;
        }
        if (length < MIN_SHARED_BYTES || holds(body.pieces())) {
            return Room.YES;
        }
        // A third is left for what is small enough, the packed list before all.
        long allowed = length > LARGE_BYTES ? most / 3 * 2 : most;
        return allocator.metric().usedDirectMemory() + length > allowed ? Room.FULL : Room.YES;
    }

    private boolean holds(List<byte[]> pieces) {
        synchronized (held) {
            return held.containsKey(pieces);
        }
    }

    /** The bytes as one buffer, which counts as under way until it is released. */
    ByteBuf sent(PreparedBody body) {
        long length = Content.length(body.pieces());
        underWay.merge(body.client(), length, Long::sum);
        ByteBuf bytes = length < MIN_SHARED_BYTES
                ? Unpooled.wrappedBuffer(body.pieces().toArray(byte[][]::new))
                : shared(body.pieces(), (int) length);
        return new Counted(bytes, () -> arrived(body.client(), length));
    }

    private void arrived(Address client, long length) {
        underWay.computeIfPresent(client, (key, sum) -> sum <= length ? null : sum - length);
    }

    private ByteBuf shared(List<byte[]> pieces, int length) {
        synchronized (held) {
            ByteBuf direct = held.get(pieces);
            if (direct == null) {
                direct = allocator.directBuffer(length, length);
                for (byte[] piece : pieces) {
                    direct.writeBytes(piece);
                }
                makeRoom(length);
                held.put(pieces, direct);
            }
            return direct.retainedDuplicate();
        }
    }

    /** Answers of old snapshots are never asked for again: when an eighth of the memory is full, it starts anew. */
    private void makeRoom(long length) {
        heldBytes += length;
        if (heldBytes > most / 8) {
            held.values().forEach(ByteBuf::release);
            held.clear();
            heldBytes = length;
        }
    }

    /** What is on its way to a client, bytes. */
    long underWay(Address client) {
        return underWay.getOrDefault(client, 0L);
    }

    /** A buffer of one component that calls back when its last reference is released. */
    private static final class Counted extends CompositeByteBuf {
        private final Runnable released;

        private Counted(ByteBuf bytes, Runnable released) {
            super(bytes.alloc(), bytes.isDirect(), 1);
            this.released = released;
            addComponent(true, bytes);
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            released.run();
        }
    }
}
