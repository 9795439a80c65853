package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.settings.PortSettings;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.CountsByNetwork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.http.netty.body.NettyByteBodyFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import jakarta.inject.Singleton;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds prepared bytes outside the heap, one buffer for each segment, which all bodies with it share. A slow reader keeps versions of venues
 * in memory, not whole lists. Counts the bytes on their way to each client until the socket has taken them.
 */
@Singleton
final class SharedBytes implements ResponseBodyWriter<PreparedBody> {
    /** Smaller bodies are sent from the heap: they are copied as fast as they are looked up. */
    private static final long MIN_SHARED_BYTES = 4_096;

    /** Larger than the whole list packed: what is larger can be requested in a coding, and is composed. */
    private static final long LARGE_BYTES = 2L << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final RecentBuffers recent = new RecentBuffers();
    private final CountsByNetwork underWay = new CountsByNetwork();
    private final long clientMost;
    private final long most;
    private @Nullable Snapshot served;

    SharedBytes(PortSettings settings, MeterRegistry meters) {
        this.clientMost = (long) settings.clientAnswersMb() << 20;
        this.most = (long) settings.answersMb() << 20;
        Gauge.builder(
                        "observatory.gateway.answers.bytes",
                        allocator,
                        a -> a.metric().usedDirectMemory())
                .description("memory outside the heap that prepared responses and those on their way take")
                .baseUnit("bytes")
                .register(meters);
    }

    enum Room {
        YES,
        /** So much is on its way to this client that it has to read that first. */
        FULL_FOR_CLIENT,
        FULL
    }

    Room room(PreparedBody body) {
        long length = Segment.length(body.segments());
        if (underWay.with(body.client(), length) > clientMost) {
            return Room.FULL_FOR_CLIENT;
        }
        return length < MIN_SHARED_BYTES || fits(body.segments(), length) ? Room.YES : Room.FULL;
    }

    private synchronized boolean fits(List<Segment> segments, long length) {
        // A third is left for what is small enough, the packed list before all.
        long allowed = length > LARGE_BYTES ? most / 3 * 2 : most;
        if (fits(notShared(segments, length), allowed)) {
            return true;
        }
        recent.releaseUnsent();
        return fits(notShared(segments, length), allowed);
    }

    private boolean fits(long more, long allowed) {
        return more == 0 || allocator.metric().usedDirectMemory() + more <= allowed;
    }

    private long notShared(List<Segment> segments, long length) {
        if (recent.has(segments)) {
            return 0;
        }
        if (length <= LARGE_BYTES) {
            return length;
        }
        long more = 0;
        for (Segment segment : segments) {
            more += recent.has(segment) ? 0 : segment.length();
        }
        return more;
    }

    /**
     * Bodies of former snapshots are no longer requested: what the last two have not used is released. An event loop may still hold the
     * snapshot before the one that is served, which counts for nothing.
     */
    synchronized void serving(@Nullable Snapshot snapshot) {
        Snapshot last = served;
        if (snapshot != null
                && snapshot != last
                && (last == null || snapshot.generatedAtMs() >= last.generatedAtMs())) {
            served = snapshot;
            recent.next();
        }
    }

    @Override
    public CloseableByteBody writePiece(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            HttpResponse<?> response,
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body) {
        return ((NettyByteBodyFactory) factory).adapt(sent(body));
    }

    /** For bodies that are written to streams: this port has none. */
    @Override
    public void writeTo(
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body,
            MutableHeaders headers,
            OutputStream out) {
        throw new UnsupportedOperationException("a prepared body is sent as buffers");
    }

    /** The bytes as one buffer, which counts as under way until it is released. */
    ByteBuf sent(PreparedBody body) {
        long length = Segment.length(body.segments());
        ByteBuf bytes =
                length < MIN_SHARED_BYTES ? small(body.segments()) : shared(body.segments(), Math.toIntExact(length));
        // Only the address: the bytes on the heap need not stay until the socket has taken all of them.
        Address client = body.client();
        underWay.add(client, length);
        return new Counted(bytes, () -> underWay.add(client, -length));
    }

    private static ByteBuf small(List<Segment> segments) {
        var pieces = new ArrayList<byte[]>();
        segments.forEach(segment -> pieces.addAll(segment.pieces()));
        return Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new));
    }

    private synchronized ByteBuf shared(List<Segment> segments, int length) {
        ByteBuf whole = recent.get(segments);
        if (whole == null) {
            whole = length <= LARGE_BYTES || segments.size() == 1 ? copied(segments, length) : composed(segments);
            recent.put(segments, whole);
        }
        return whole.retainedDuplicate();
    }

    private ByteBuf composed(List<Segment> segments) {
        CompositeByteBuf whole = Unpooled.compositeBuffer(segments.size());
        try {
            for (Segment segment : segments) {
                ByteBuf one = recent.get(segment);
                if (one == null) {
                    one = copied(List.of(segment), segment.length());
                    recent.put(segment, one);
                }
                whole.addComponent(true, one.retainedDuplicate());
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            whole.release();
            throw e;
        }
        return whole;
    }

    private ByteBuf copied(List<Segment> segments, int length) {
        ByteBuf direct = allocator.directBuffer(length, length);
        for (Segment segment : segments) {
            segment.pieces().forEach(direct::writeBytes);
        }
        return direct;
    }

    /** What is on its way to a client, bytes. */
    long underWay(Address client) {
        return underWay.with(client, 0);
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
