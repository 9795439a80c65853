package io.fundingobservatory.gateway.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one answer, as they are and, where prepared, as gzip. Pieces are shared with other answers and never changed.
 *
 * @param type the media type
 * @param tag names exactly these identity bytes
 * @param identity the bytes, in order
 * @param gzip one gzip member of the same bytes, in order; null when it was not prepared
 */
public record Content(String type, String tag, List<byte[]> identity, @Nullable List<byte[]> gzip) {
    static final String JSON = "application/json; charset=utf-8";

    /** Below this a gzip member saves less than its own cost. */
    private static final int WORTH_PACKING = 512;

    public Content {
        identity = List.copyOf(identity);
        gzip = gzip == null ? null : List.copyOf(gzip);
    }

    /** Content of one piece, packed if that is worth it. */
    static Content of(String type, byte[] bytes) {
        return new Content(
                type,
                tag(List.of(sha256(bytes))),
                List.of(bytes),
                bytes.length < WORTH_PACKING ? null : List.of(Gzip.whole(bytes)));
    }

    /** JSON of one piece that is not worth preparing: an error, made for one request. */
    static Content unpacked(byte[] json) {
        return new Content(JSON, tag(List.of(sha256(json))), List.of(json), null);
    }

    /** A tag over digests of parts: equal exactly when every part is. */
    static String tag(List<byte[]> digests) {
        MessageDigest all = digester();
        digests.forEach(all::update);
        return HexFormat.of().formatHex(all.digest(), 0, 16);
    }

    static byte[] sha256(byte[] bytes) {
        return digester().digest(bytes);
    }

    private static MessageDigest digester() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The total length of pieces in bytes. */
    public static long length(List<byte[]> pieces) {
        long length = 0;
        for (byte[] piece : pieces) {
            length += piece.length;
        }
        return length;
    }
}
