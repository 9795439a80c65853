package io.fundingobservatory.gateway.http;

import io.netty.buffer.ByteBuf;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Buffers by the object whose bytes they hold. A buffer is released here when it was not used for two snapshots; those that send it
 * keep it until it is sent. Callers synchronise.
 */
final class RecentBuffers {
    private IdentityHashMap<Object, ByteBuf> used = new IdentityHashMap<>();
    private IdentityHashMap<Object, ByteBuf> usedBefore = new IdentityHashMap<>();

    boolean has(Object key) {
        return used.containsKey(key) || usedBefore.containsKey(key);
    }

    /** The buffer, which is used now; null when none is held. */
    @Nullable
    ByteBuf get(Object key) {
        ByteBuf buffer = used.get(key);
        if (buffer == null) {
            buffer = usedBefore.remove(key);
            if (buffer != null) {
                used.put(key, buffer);
            }
        }
        return buffer;
    }

    void put(Object key, ByteBuf buffer) {
        used.put(key, buffer);
    }

    /** A new snapshot is served. */
    void next() {
        usedBefore.values().forEach(ByteBuf::release);
        usedBefore = used;
        used = new IdentityHashMap<>();
    }
}
