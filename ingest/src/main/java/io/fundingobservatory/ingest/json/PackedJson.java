package io.fundingobservatory.ingest.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One whole JSON document, packed: its values in the order of the text in three arrays, their spelling in a
 * fourth. It takes a fifth of the memory of an object tree. That matters because the instrument lists of all
 * venues are kept for hours.
 *
 * <p>The packed size is bounded, not only the size as sent. A list of zeros packs well as gzip and not at all
 * here. The longest recorded body is 1.0 MB of text, the instrument list of the largest venue. It has 59
 * thousand values and takes 0.9 MB here. The longest known body is an instrument list of 4 MB of text.
 */
final class PackedJson {
    static final int MAX_DIGITS = 64;

    /** Values of one document; nine bytes each. */
    static final int MAX_VALUES = 1_000_000;

    /** Bytes of one document, packed. */
    static final int MAX_PACKED_BYTES = 12 * 1024 * 1024;

    /** A kind, a place, and a reference to a name that is shared. */
    private static final int BYTES_A_VALUE = 9;

    /** A string, and its entry in the parser's table of names. */
    private static final int BYTES_A_NAME = 100;

    /** A longer text, such as a notice or a description, is cut off here; no value, name or time is longer than 240. */
    static final int MAX_KEPT_STRING = 4_096;

    /** A response with a longer text is rejected: no exchange sends one with its rates. */
    private static final int MAX_STRING = 256 * 1024;

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // names of a hostile body would stay in the JVM's table
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(32L * 1024 * 1024)
                    .maxStringLength(MAX_STRING)
                    .maxNameLength(256)
                    .maxNumberLength(MAX_DIGITS)
                    .maxNestingDepth(32)
                    .build())
            .build();

    enum Kind {
        OBJECT,
        ARRAY,
        TEXT,
        NUMBER,
        TRUE,
        FALSE,
        NULL
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    private int size;
    private int spelt;
    private byte[] kinds = new byte[64];
    /** The member name of each value in its object; null in a list. */
    private @Nullable String[] names = new String[64];
    /** Of an object or a list the place after its last value; of a text or a number the place of its spelling. */
    private int[] places = new int[64];
    /** Spellings, each behind its length in two bytes. */
    private byte[] spellings = new byte[512];

    /** Memory taken by the names that occur in this document for the first time. */
    private int named;

    private PackedJson() {}

    /** The elements of its longest list; an object that holds nothing but objects counts as one. 0 when it holds neither. */
    int longestList() {
        int longest = 0;
        for (int at = 0; at < size; at++) {
            Kind kind = kind(at);
            if (kind == Kind.ARRAY || kind == Kind.OBJECT) {
                int elements = 0;
                for (int i = at + 1; i < end(at); i = next(i)) {
                    if (kind == Kind.OBJECT && kind(i) != Kind.OBJECT) {
                        elements = 0;
                        break;
                    }
                    elements++;
                }
                longest = Math.max(longest, elements);
            }
        }
        return longest;
    }

    /** Reads to the end; throws when it is not one whole JSON document within the limits. */
    static PackedJson read(InputStream in) throws IOException {
        var document = new PackedJson();
        try (JsonParser parser = JSON.createParser(in)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new JsonParseException(parser, "empty body");
            }
            document.read(parser, first, null, new HashSet<>());
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "more than one document");
            }
        }
        document.kinds = Arrays.copyOf(document.kinds, document.size);
        document.names = Arrays.copyOf(document.names, document.size);
        document.places = Arrays.copyOf(document.places, document.size);
        document.spellings = Arrays.copyOf(document.spellings, document.spelt);
        return document;
    }

    private void read(JsonParser parser, JsonToken token, @Nullable String name, Set<String> seen) throws IOException {
        switch (token) {
            case START_OBJECT -> {
                int object = add(Kind.OBJECT, name);
                for (String member = parser.nextFieldName(); member != null; member = parser.nextFieldName()) {
                    if (seen.add(member)) {
                        named += BYTES_A_NAME + member.length();
                        requireRoom();
                    }
                    read(parser, parser.nextToken(), member, seen);
                }
                places[object] = size;
            }
            case START_ARRAY -> {
                int array = add(Kind.ARRAY, name);
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    read(parser, next, null, seen);
                }
                places[array] = size;
            }
            case VALUE_STRING -> spell(add(Kind.TEXT, name), parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> spell(add(Kind.NUMBER, name), parser);
            case VALUE_TRUE -> add(Kind.TRUE, name);
            case VALUE_FALSE -> add(Kind.FALSE, name);
            case VALUE_NULL -> add(Kind.NULL, name);
            default -> throw new JsonParseException(parser, "no value");
        }
    }

    private int add(Kind kind, @Nullable String name) throws IOException {
        if (size == kinds.length) {
            int room = Math.min(size + size / 2, MAX_VALUES);
            if (size == room) {
                throw new IOException("more than " + MAX_VALUES + " values");
            }
            kinds = Arrays.copyOf(kinds, room);
            names = Arrays.copyOf(names, room);
            places = Arrays.copyOf(places, room);
        }
        kinds[size] = (byte) KINDS.indexOf(kind);
        names[size] = name;
        return size++;
    }

    private void requireRoom() throws IOException {
        if (bytes() > MAX_PACKED_BYTES) {
            throw new IOException("more than " + MAX_PACKED_BYTES / 1024 / 1024 + " MB of values");
        }
    }

    int bytes() {
        return spelt + named + BYTES_A_VALUE * size;
    }

    private void spell(int value, JsonParser parser) throws IOException {
        char[] chars = parser.getTextCharacters();
        int from = parser.getTextOffset();
        int length = Math.min(parser.getTextLength(), MAX_KEPT_STRING);
        int room = spelt + 2 + 3 * length;
        if (room > spellings.length) {
            spellings = Arrays.copyOf(spellings, Math.max(room, spellings.length + spellings.length / 2));
        }
        requireRoom();
        places[value] = spelt;
        int at = spelt + 2;
        for (int i = 0; i < length && chars[from + i] < 0x80; i++) {
            spellings[at++] = (byte) chars[from + i];
        }
        int plain = at - spelt - 2;
        if (plain < length) {
            byte[] rest = new String(chars, from + plain, length - plain).getBytes(StandardCharsets.UTF_8);
            System.arraycopy(rest, 0, spellings, at, rest.length);
            at += rest.length;
        }
        int bytes = at - spelt - 2;
        spellings[spelt] = (byte) (bytes >> 8);
        spellings[spelt + 1] = (byte) bytes;
        spelt = at;
    }

    Kind kind(int value) {
        return KINDS.get(kinds[value]);
    }

    /** The name of a value; only for members of an object. */
    @Nullable
    String name(int value) {
        return names[value];
    }

    /** The place after an object's or a list's last value. */
    int end(int container) {
        return places[container];
    }

    /** The place of the value after this one, past everything in it. */
    int next(int value) {
        return switch (kind(value)) {
            case OBJECT, ARRAY -> places[value];
            default -> value + 1;
        };
    }

    /** A text, or a number as it is written. */
    String spelling(int value) {
        int at = places[value];
        return new String(spellings, at + 2, length(at), StandardCharsets.UTF_8);
    }

    private int length(int at) {
        return (spellings[at] & 0xff) << 8 | (spellings[at + 1] & 0xff);
    }

    /** Whether a value equals one of another document. */
    boolean same(int value, PackedJson other, int its) {
        if (kinds[value] != other.kinds[its]) {
            return false;
        }
        return switch (kind(value)) {
            case TRUE, FALSE, NULL -> true;
            case TEXT, NUMBER -> sameSpelling(places[value], other, other.places[its]);
            case OBJECT, ARRAY -> sameMembers(value, other, its);
        };
    }

    private boolean sameSpelling(int at, PackedJson other, int its) {
        return Arrays.equals(
                spellings, at + 2, at + 2 + length(at), other.spellings, its + 2, its + 2 + other.length(its));
    }

    private boolean sameMembers(int container, PackedJson other, int its) {
        int mine = container + 1;
        int theirs = its + 1;
        while (mine < end(container) && theirs < other.end(its)) {
            String name = names[mine];
            boolean sameName = name == null ? other.names[theirs] == null : name.equals(other.names[theirs]);
            if (!sameName || !same(mine, other, theirs)) {
                return false;
            }
            mine = next(mine);
            theirs = other.next(theirs);
        }
        return mine == end(container) && theirs == other.end(its);
    }
}
