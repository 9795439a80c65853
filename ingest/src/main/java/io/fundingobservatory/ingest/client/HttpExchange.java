package io.fundingobservatory.ingest.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its response, not yet judged.
 *
 * @param status 0 when no whole response came
 * @param headers by their names in lower case
 * @param body as it was sent, possibly packed
 * @param took from the look-up of the name to the last byte
 * @param failure why no whole response came; null when one came
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpExchange(
        int status,
        Map<String, String> headers,
        byte[] body,
        Duration took,
        @Nullable FetchResult failure) {
    static HttpExchange failed(FetchResult failure, Duration took) {
        return new HttpExchange(0, Map.of(), new byte[0], took, failure);
    }

    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    /** Whether the body is in an encoding that was requested. */
    boolean isReadable() {
        String encoding = header("content-encoding");
        return encoding == null || isGzip(encoding) || encoding.equalsIgnoreCase("identity");
    }

    private static boolean isGzip(String encoding) {
        return encoding.equalsIgnoreCase("gzip") || encoding.equalsIgnoreCase("x-gzip");
    }

    /** The body unpacked; an {@link IOException} when it is damaged or too large. */
    public InputStream unpacked() throws IOException {
        String encoding = header("content-encoding");
        return encoding != null && isGzip(encoding) ? Inflation.gunzip(body) : new ByteArrayInputStream(body);
    }
}
