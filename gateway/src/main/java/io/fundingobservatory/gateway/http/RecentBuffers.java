package io.fundingobservatory.gateway.http;

import io.netty.buffer.ByteBuf;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Buffers by the object whose bytes they hold. One is released here when its object is gone, or when it was not used for two
 * snapshots. Where memory runs short, those that no client is being sent are released as well. Callers synchronise.
 */
final class RecentBuffers {
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private Map<Key, ByteBuf> used = new HashMap<>();
    private Map<Key, ByteBuf> usedBefore = new HashMap<>();

    boolean has(Object object) {
        releaseGone();
        var key = new Key(object, null);
        return used.containsKey(key) || usedBefore.containsKey(key);
    }

    /** The buffer, which is used now; null when none is held. */
    @Nullable
    ByteBuf get(Object object) {
        var key = new Key(object, gone);
        ByteBuf buffer = used.get(key);
        if (buffer == null) {
            buffer = usedBefore.remove(key);
            if (buffer != null) {
                used.put(key, buffer);
            }
        }
        return buffer;
    }

    void put(Object object, ByteBuf buffer) {
        used.put(new Key(object, gone), buffer);
    }

    /** A new snapshot is served. */
    void next() {
        usedBefore.values().forEach(ByteBuf::release);
        usedBefore = used;
        used = new HashMap<>();
    }

    private void releaseGone() {
        for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
            ByteBuf buffer = used.remove(key);
            buffer = buffer == null ? usedBefore.remove(key) : buffer;
            if (buffer != null) {
                buffer.release();
            }
        }
    }

    /** Releases what no client is being sent; a composed body before the segments that it holds. */
    void releaseUnsent() {
        boolean released;
        do {
            released = releaseUnsent(used.values());
            released |= releaseUnsent(usedBefore.values());
        } while (released);
    }

    private static boolean releaseUnsent(Collection<ByteBuf> buffers) {
        return buffers.removeIf(buffer -> buffer.refCnt() == 1 && buffer.release());
    }

    /**
     * An object by its identity, which does not keep the object. A response that no snapshot keeps would stay on the heap for as long as
     * its buffer, up to 11 MB each.
     */
    private static final class Key extends WeakReference<Object> {
        private final int hash;

        private Key(Object object, @Nullable ReferenceQueue<Object> gone) {
            super(object, gone);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            Object object = get();
            return this == other || (other instanceof Key key && object != null && key.refersTo(object));
        }
    }
}
