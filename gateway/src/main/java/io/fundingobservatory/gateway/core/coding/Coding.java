package io.fundingobservatory.gateway.core.coding;

/** A content coding (RFC 9110 §8.4.1). */
public enum Coding {
    BR("br"),
    ZSTD("zstd"),
    GZIP("gzip");

    /** Its name in {@code Accept-Encoding} and {@code Content-Encoding}. */
    public final String word;

    Coding(String word) {
        this.word = word;
    }
}
