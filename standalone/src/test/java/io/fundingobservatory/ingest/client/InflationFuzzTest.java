package io.fundingobservatory.ingest.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Tag;

/** A packed body is unpacked within its bounds, or it is damaged: nothing else. */
@Tag("fuzz")
class InflationFuzzTest {
    private static final int SMALL = 64 * 1024;

    @FuzzTest(maxDuration = "1m")
    void neverMoreThanIsAllowed(byte[] packed) {
        long read = 0;
        var chunk = new byte[8 * 1024];
        try (InputStream body = Inflation.gunzip(packed)) {
            for (int n = body.read(chunk); n >= 0; n = body.read(chunk)) {
                read += n;
            }
        } catch (IOException e) {
            // damaged, or more than is allowed
        }
        assertTrue(read <= Math.max(SMALL, (long) packed.length * Inflation.MAX_RATIO), read + " bytes");
    }
}
