package io.fundingobservatory.ingest.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * One request and its response, for callers that need more detail than a poller does.
 *
 * @param status the HTTP status; 0 when no whole response came
 * @param body as it was sent, packed when {@code isGzip}
 * @param took from the look-up of the name to the last byte
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FetchTrace(FetchResult fetched, int status, byte[] body, boolean isGzip, Duration took) {
    /** The body unpacked; an {@link IOException} when it is damaged or too large. */
    public byte[] unpacked() throws IOException {
        try (InputStream in = isGzip ? Inflation.gunzip(body) : new ByteArrayInputStream(body)) {
            return in.readAllBytes();
        }
    }
}
