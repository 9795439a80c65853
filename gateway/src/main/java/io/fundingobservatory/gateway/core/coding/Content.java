package io.fundingobservatory.gateway.core.coding;

import java.nio.charset.StandardCharsets;
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
                .filter(segment -> !segment.isShared())
                .mapToLong(Segment::length)
                .sum();
    }

    /** Releases the buffers of bytes that this content alone has; they are not requested any more. */
    public void close() {
        if (gzip.size() == 1) {
            gzip.getFirst().close();
        }
    }

    /** Takes the place of {@code meta.tag} in a body until {@link #tagged} fills it in. */
    public static final String NO_TAG = "0".repeat(32);

    /** The tag is one of the first members of a body. */
    private static final int BEFORE_TAG = 512;

    /** Fills in the first {@link #NO_TAG} of a body, which then has the tag of the bytes with that placeholder. */
    public static void fillIn(byte[] body, String tag) {
        var first = new String(body, 0, Math.min(body.length, BEFORE_TAG), StandardCharsets.US_ASCII);
        int at = first.indexOf(NO_TAG);
        if (at < 0) {
            throw new IllegalArgumentException("the body has no place for its tag");
        }
        System.arraycopy(tag.getBytes(StandardCharsets.US_ASCII), 0, body, at, NO_TAG.length());
    }

    /** Content of one piece that states its own tag. */
    public static Content tagged(byte[] bytes) {
        String tag = tag(List.of(bytes));
        fillIn(bytes, tag);
        return new Content(JSON, tag, List.of(Segment.of(bytes)), gzip(bytes));
    }

    private static List<Segment> gzip(byte[] bytes) {
        return bytes.length < WORTH_PACKING ? List.of() : Gzip.whole(bytes);
    }

    /** Content of one piece, packed if that is worth it. */
    public static Content of(String type, byte[] bytes) {
        return new Content(type, tag(List.of(bytes)), List.of(Segment.of(bytes)), gzip(bytes));
    }

    /** A tag of bytes in pieces; a digest may stand for bytes that many bodies share. */
    public static String tag(List<byte[]> pieces) {
        return HexFormat.of().formatHex(sha256(pieces), 0, 16);
    }

    public static byte[] sha256(List<byte[]> pieces) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            pieces.forEach(digest::update);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
