package io.fundingobservatory.gateway.core.coding;

/**
 * A content coding (RFC 9110 §8.4.1), in order of preference among equally welcome ones. Every client that
 * lists zstd also decodes gzip. Many of their zstd decoders are newer than the service may assume.
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
