package io.fundingobservatory.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** What tests read out of responses. */
final class Responses {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Responses() {}

    /** The one value of a field; empty when it is not there. */
    static String header(HttpResponse<?> response, String name) {
        List<String> values = response.headers().allValues(name);
        assertTrue(values.size() <= 1, name + " is there " + values.size() + " times");
        return values.isEmpty() ? "" : values.getFirst();
    }

    /** The body of a response that says it is JSON. */
    static JsonNode json(HttpResponse<byte[]> response) {
        assertEquals("application/json; charset=utf-8", header(response, "Content-Type"));
        return tree(unpacked(response));
    }

    static JsonNode tree(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The body without its content coding. */
    static byte[] unpacked(HttpResponse<byte[]> response) {
        var packed = new ByteArrayInputStream(response.body());
        try {
            return switch (header(response, "Content-Encoding")) {
                case "br" -> new BrotliInputStream(packed).readAllBytes();
                case "zstd" -> new ZstdInputStream(packed).readAllBytes();
                case "gzip" -> new GZIPInputStream(packed).readAllBytes();
                default -> response.body();
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
