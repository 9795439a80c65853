package io.fundingobservatory.testbed.sim.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * JSON that is small to send and large to hold. Each body is below 4 MB as gzip and inflates to at most 24
 * MB, less than a hundred times its size. Padding that does not compress keeps the ratio down.
 */
public enum HostileBody {
    ZEROS("0"),
    EMPTY_LISTS("[]"),
    EMPTY_OBJECTS("{}"),
    SMALL_OBJECTS("{\"a\":1,\"b\":[2,3]}"),
    TEXTS("\"xxxxxxxxxxxxxxxxxxxxxxxx\""),
    NUMBERS("1.2345678"),
    /** One object with 300,000 different names. */
    NAMES("") {
        @Override
        String json() {
            var names = new StringBuilder("{");
            for (int i = 0; i < 300_000; i++) {
                names.append("\"n").append(i).append("\":0,");
            }
            return names.append("\"z\":0}").toString();
        }
    },
    /** 200,000 rows of an ordinary list: within every bound, and kept whole. */
    ROWS("") {
        @Override
        String json() {
            return "[" + "{\"symbol\":\"X\",\"rate\":\"0.0001\"},".repeat(200_000) + "0]";
        }
    },
    /** Lists in lists, a million deep. */
    DEEP("") {
        @Override
        String json() {
            return "[".repeat(1_000_000) + "]".repeat(1_000_000);
        }
    };

    private static final int INFLATED_BYTES = 24_000_000;
    private static final int PADDING_BYTES = 440_000;

    private final String element;

    HostileBody(String element) {
        this.element = element;
    }

    String json() {
        return "[" + (element + ",").repeat(INFLATED_BYTES / (element.length() + 1)) + "0]";
    }

    /** The body as it is sent, with {@code Content-Encoding: gzip}. Packing takes far longer than sending: keep it. */
    public byte[] gzip() {
        var padding = new StringBuilder();
        new Random(1).ints(PADDING_BYTES, 'a', 'z').forEach(c -> padding.append((char) c));
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            // in texts of 4,000, as long as any that is kept whole
            gzip.write(("[[\"" + padding.toString().replaceAll("(.{4000})", "$1\",\"") + "\"],")
                    .getBytes(StandardCharsets.US_ASCII));
            gzip.write(json().getBytes(StandardCharsets.US_ASCII));
            gzip.write(']');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
