package io.fundingobservatory.gateway.core.coding;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one response, as they are and in the codings that were prepared.
 *
 * @param type the media type
 * @param tag names exactly these identity bytes
 * @param identity the bytes, in order
 * @param packed the same bytes in each coding that was prepared; the coding to prefer among equally welcome ones first
 */
public record Content(String type, String tag, List<Segment> identity, Map<Coding, List<Segment>> packed) {
    /** Compresses a whole body. */
    public interface Compressor {
        byte[] compress(List<Segment> identity);
    }

    public static final String JSON = "application/json; charset=utf-8";

    private static final int REFERENCE_BYTES = 4;

    /** Below this a gzip member saves less than its own cost. */
    private static final int WORTH_PACKING = 512;

    public Content {
        identity = List.copyOf(identity);
        var ordered = new EnumMap<Coding, List<Segment>>(Coding.class);
        packed.forEach((coding, segments) -> ordered.put(coding, List.copyOf(segments)));
        packed = Collections.unmodifiableMap(ordered);
    }

    public String etag(@Nullable Coding coding) {
        return '"' + tag + (coding == null ? "" : "-" + coding.word) + '"';
    }

    public List<Segment> body(@Nullable Coding coding) {
        List<Segment> segments = coding == null ? null : packed.get(coding);
        return segments == null ? identity : segments;
    }

    /** What it holds that no other response shares, bytes. */
    public long ownBytes() {
        return Stream.concat(Stream.of(identity), packed.values().stream())
                .flatMap(List::stream)
                .mapToLong(segment -> REFERENCE_BYTES + (segment.isShared() ? 0 : segment.length()))
                .sum();
    }

    /** Content of one piece, packed if that is worth it. */
    public static Content of(String type, byte[] bytes) {
        return new Content(
                type,
                tag(List.of(sha256(bytes))),
                List.of(Segment.of(bytes)),
                bytes.length < WORTH_PACKING ? Map.of() : Map.of(Coding.GZIP, Gzip.whole(bytes)));
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
