package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Responses of one snapshot by what they respond to, made on the first request and kept as long as the snapshot is served. The
 * one that has not been requested for longest makes room: no client can keep the responses of the others out.
 */
public final class PreparedContents {
    private static final int KEPT = 256;

    /** A larger response is rendered again for each request. */
    private static final long KEPT_BYTES = 4L << 20;

    private final SequencedMap<Object, Content> byKey = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    PreparedContents() {}

    /** The content of a key; null where it is not made, or not kept. */
    public synchronized @Nullable Content get(Object key) {
        return byKey.get(key);
    }

    /** The content to be sent: that of another thread where it was earlier. */
    public synchronized Content keep(Object key, Content made) {
        if (made.ownBytes() > KEPT_BYTES) {
            return made;
        }
        Content earlier = byKey.putIfAbsent(key, made);
        if (earlier != null) {
            return earlier;
        }
        bytes += made.ownBytes();
        while (byKey.size() > KEPT || bytes > KEPT_BYTES) {
            bytes -= byKey.pollFirstEntry().getValue().ownBytes();
        }
        return made;
    }
}
