package io.fundingobservatory.gateway.core;

/** A content coding, those first that are preferred among equally welcome ones. */
public enum Coding {
    BR("br"),
    ZSTD("zstd"),
    GZIP("gzip");

    final String word;

    Coding(String word) {
        this.word = word;
    }
}
