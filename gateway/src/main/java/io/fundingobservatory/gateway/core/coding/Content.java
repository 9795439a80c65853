package io.fundingobservatory.gateway.core.coding;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The bytes of one response, as they are and as gzip where that is worth it.
 *
 * @param type the media type
 * @param tag names exactly these identity bytes
 * @param identity the bytes, in order
 * @param gzip the same bytes as one gzip member; empty where it would be hardly smaller
 */
public record Content(String type, String tag, List<Segment> identity, List<Segment> gzip) {
    public static final String JSON = "application/json; charset=utf-8";

    /** The one content coding, as {@code Content-Encoding} names it. */
    public static final String GZIP = "gzip";

    private static final int REFERENCE_BYTES = 4;

    /** Below this a gzip member saves less than its own cost. */
    private static final int WORTH_PACKING = 512;

    public Content {
        identity = List.copyOf(identity);
        gzip = List.copyOf(gzip);
    }

    public String etag(boolean packed) {
        return '"' + tag + (packed ? "-gzip" : "") + '"';
    }

    public List<Segment> body(boolean packed) {
        return packed ? gzip : identity;
    }

    /** What it holds that no other response shares, bytes. */
    public long ownBytes() {
        return Stream.concat(identity.stream(), gzip.stream())
                .mapToLong(segment -> REFERENCE_BYTES + (segment.isShared() ? 0 : segment.length()))
                .sum();
    }

    /** Releases the buffers of bytes that this content alone has; they are not requested any more. */
    public void close() {
        if (gzip.size() == 1) {
            gzip.getFirst().close();
        }
    }

    /** Content of one piece, packed if that is worth it. */
    public static Content of(String type, byte[] bytes) {
        return new Content(
                type,
                tag(List.of(sha256(bytes))),
                List.of(Segment.of(bytes)),
                bytes.length < WORTH_PACKING ? List.of() : Gzip.whole(bytes));
    }

    /** A tag over digests of parts: equal exactly when every part is. */
    public static String tag(List<byte[]> digests) {
        MessageDigest all = digester();
        digests.forEach(all::update);
        return HexFormat.of().formatHex(all.digest(), 0, 16);
    }

    /** A digest as {@link #tag} takes it. */
    public static byte[] sha256(byte[] bytes) {
        return digester().digest(bytes);
    }

    private static MessageDigest digester() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
