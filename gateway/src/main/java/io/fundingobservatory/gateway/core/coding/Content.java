package io.fundingobservatory.gateway.core.coding;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one answer, as they are and in the codings that were prepared. Pieces are shared with other answers and never
 * changed.
 *
 * @param type the media type
 * @param tag names exactly these identity bytes
 * @param identity the bytes, in order
 * @param packed the same bytes in each coding that was prepared, in order; the coding with the fewest bytes first
 */
public record Content(String type, String tag, List<byte[]> identity, Map<Coding, List<byte[]>> packed) {
    /** The media type of every answer of the interface. */
    public static final String JSON = "application/json; charset=utf-8";

    private static final int REFERENCE_BYTES = 4;

    /** Below this a gzip member saves less than its own cost. */
    private static final int WORTH_PACKING = 512;

    public Content {
        identity = List.copyOf(identity);
        packed = smallestFirst(packed);
    }

    private static Map<Coding, List<byte[]>> smallestFirst(Map<Coding, List<byte[]>> packed) {
        var ordered = new LinkedHashMap<Coding, List<byte[]>>();
        packed.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<Coding, List<byte[]>> entry) -> length(entry.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .forEach(entry -> ordered.put(entry.getKey(), List.copyOf(entry.getValue())));
        return Collections.unmodifiableMap(ordered);
    }

    /** The same content with one coding more. */
    Content with(Coding coding, byte[] bytes) {
        var more = new EnumMap<Coding, List<byte[]>>(Coding.class);
        more.putAll(packed);
        more.put(coding, List.of(bytes));
        return new Content(type, tag, identity, more);
    }

    /** The same content with one coding more, unless it is too short to be worth any. */
    public Content packedAs(Coding coding, Compressor compressor) {
        return packed.isEmpty() ? this : with(coding, compressor.compress(identity));
    }

    /** The strong tag of one representation. */
    public String etag(@Nullable Coding coding) {
        return '"' + tag + (coding == null ? "" : "-" + coding.word) + '"';
    }

    /** The bytes of one representation. */
    public List<byte[]> pieces(@Nullable Coding coding) {
        List<byte[]> pieces = coding == null ? null : packed.get(coding);
        return pieces == null ? identity : pieces;
    }

    /** What it holds that no other answer shares, bytes: one piece is its own; of many all but the first and last are others' too. */
    public long ownBytes() {
        long own = ownBytes(identity);
        for (List<byte[]> pieces : packed.values()) {
            own += ownBytes(pieces);
        }
        return own;
    }

    private static long ownBytes(List<byte[]> pieces) {
        return pieces.size() == 1
                ? pieces.getFirst().length
                : pieces.getFirst().length + pieces.getLast().length + (long) pieces.size() * REFERENCE_BYTES;
    }

    /** Content of one piece, packed if that is worth it. */
    public static Content of(String type, byte[] bytes) {
        return new Content(
                type,
                tag(List.of(sha256(bytes))),
                List.of(bytes),
                bytes.length < WORTH_PACKING ? Map.of() : Map.of(Coding.GZIP, List.of(Gzip.whole(bytes))));
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

    /** The total length of pieces in bytes. */
    public static long length(List<byte[]> pieces) {
        long length = 0;
        for (byte[] piece : pieces) {
            length += piece.length;
        }
        return length;
    }
}
