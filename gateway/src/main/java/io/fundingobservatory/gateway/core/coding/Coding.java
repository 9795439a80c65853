package io.fundingobservatory.gateway.core.coding;

/**
 * A content coding (RFC 9110 §8.4.1), the one to prefer among equally welcome ones first: every client that lists zstd decodes gzip,
 * and many of their zstd decoders are newer than the service may assume.
 */
public enum Coding {
    GZIP("gzip"),
    ZSTD("zstd");

    /** Its name in {@code Accept-Encoding} and {@code Content-Encoding}. */
    public final String word;

    Coding(String word) {
        this.word = word;
    }
}
