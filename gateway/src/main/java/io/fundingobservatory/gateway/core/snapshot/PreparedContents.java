package io.fundingobservatory.gateway.core.snapshot;

import io.fundingobservatory.gateway.core.coding.Content;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Responses of one snapshot by what they respond to, made on the first request and kept as long as the snapshot is served. */
final class PreparedContents {
    /** Limits of what is kept, in number and bytes. Further responses are rendered again for each request. */
    private static final int KEPT = 256;

    private static final long KEPT_BYTES = 4L << 20;

    private final Map<String, Content> byKey = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    @Nullable
    Content get(String key) {
        return byKey.get(key);
    }

    Content get(String key, Supplier<Content> page) {
        Content kept = byKey.get(key);
        if (kept != null) {
            return kept;
        }
        Content made = page.get();
        if (byKey.size() < KEPT && bytes.get() + made.ownBytes() <= KEPT_BYTES) {
            bytes.addAndGet(made.ownBytes());
            byKey.put(key, made);
        }
        return made;
    }
}
