package io.fundingobservatory.ingest.poll;

import java.util.HashMap;
import java.util.Map;

/**
 * Memory that the responses of all venues may take together. Each venue has a part of its own, and the size of its
 * last poll. Only growth beyond both draws on the common part. Growth that does not fit fails the request of the
 * venue that grew, and no other venue notices.
 */
public final class ResponseBudget {
    /** The recorded responses of the largest venue take 1.2 MB, those of most venues less than this. */
    private static final long OWN_BYTES = 256 * 1024;

    /**
     * All lists together are 25 MB of text. About 25 MB of the heap in {@code ingest/jvm.options} are other objects.
     * A body of the largest size takes 24 MB while it is read.
     */
    private static final long COMMON_BYTES = 32L * 1024 * 1024;

    private final long own;
    private long common;
    private final Map<String, Long> reserved = new HashMap<>();

    public ResponseBudget() {
        this(OWN_BYTES, COMMON_BYTES);
    }

    /** So many bytes for each venue, and so many for the growth of all. */
    ResponseBudget(long own, long common) {
        this.own = own;
        this.common = common;
    }

    /** Reserves memory for all responses of a venue; false when it has not so much already and the growth does not fit. */
    synchronized boolean reserve(String venue, long bytes) {
        long growth = bytes - reserved.getOrDefault(venue, own);
        if (growth > common) {
            return false;
        }
        if (growth > 0) {
            common -= growth;
            reserved.put(venue, bytes);
        }
        return true;
    }

    /** Returns to the common part what a venue did not need in its last poll. */
    synchronized void needs(String venue, long bytes) {
        long kept = Math.max(bytes, own);
        long before = reserved.getOrDefault(venue, own);
        if (kept < before) {
            common += before - kept;
            reserved.put(venue, kept);
        }
    }
}
