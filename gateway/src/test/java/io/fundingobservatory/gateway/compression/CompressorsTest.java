package io.fundingobservatory.gateway.compression;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Compressor;
import io.fundingobservatory.gateway.core.coding.SegmentCompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CompressorsTest {
    private static InputStream decoder(Coding coding, byte[] packed) throws IOException {
        var in = new ByteArrayInputStream(packed);
        return coding == Coding.BR ? new BrotliInputStream(in) : new ZstdInputStream(in);
    }

    @Test
    void filesComeBackAsTheyWere() throws IOException {
        byte[] file = "openapi: 3.1.0\npaths: {}\n".repeat(200).getBytes(StandardCharsets.UTF_8);
        Map<Coding, Compressor> compressors = Compressors.available();
        assertEquals(Set.of(Coding.BR, Coding.ZSTD), compressors.keySet(), "on the machines that this is built on");
        for (var entry : compressors.entrySet()) {
            byte[] packed = entry.getValue().compress(List.of(file, file));
            assertTrue(packed.length < file.length / 10);
            byte[] back = decoder(entry.getKey(), packed).readAllBytes();
            assertEquals(new String(file, StandardCharsets.UTF_8).repeat(2), new String(back, StandardCharsets.UTF_8));
        }
    }

    /**
     * Segments are joined in any order and number, and each was compressed knowing nothing of the others: short ones that are all
     * literals, ones that repeat themselves at every small distance (which a decoder remembers from the segment before), words of the
     * static dictionary, random bytes, and ones longer than any window.
     */
    @Test
    void segmentsInAnyOrderDecodeToTheirBytesInThatOrder() throws IOException {
        var random = new Random(20261122);
        var kinds = new ArrayList<byte[]>();
        kinds.add(",".getBytes(StandardCharsets.UTF_8));
        kinds.add("]}".getBytes(StandardCharsets.UTF_8));
        for (int distance = 1; distance <= 20; distance++) {
            kinds.add("0123456789abcdefghij"
                    .substring(0, distance)
                    .repeat(400 / distance)
                    .getBytes(StandardCharsets.UTF_8));
        }
        kinds.add("the quick brown fox of which that have been there would about their with the time and government"
                .getBytes(StandardCharsets.UTF_8));
        var noise = new byte[70_000];
        random.nextBytes(noise);
        kinds.add(noise);
        var rows = new StringBuilder();
        for (int i = 0; i < 12_000; i++) {
            rows.append("{\"venue\":\"okx\",\"symbol\":\"A").append(i).append("\",\"funding_rate_8h\":0.000");
            rows.append(random.nextInt(100_000)).append("},");
        }
        kinds.add(rows.toString().getBytes(StandardCharsets.UTF_8));
        for (var entry : Map.<Coding, SegmentCompressor>of(
                        Coding.BR, new BrotliSegments(), Coding.ZSTD, new ZstdSegments())
                .entrySet()) {
            SegmentCompressor compressor = entry.getValue();
            for (int round = 0; round < 60; round++) {
                var identity = new ArrayList<byte[]>();
                var packed = new ByteArrayOutputStream();
                packed.writeBytes(compressor.opening());
                for (int i = random.nextInt(40); i >= 0; i--) {
                    byte[] part = kinds.get(random.nextInt(kinds.size()));
                    identity.add(part);
                    packed.writeBytes(compressor.segment(part));
                }
                packed.writeBytes(compressor.closing(identity));
                var expected = new ByteArrayOutputStream();
                identity.forEach(expected::writeBytes);
                assertArrayEquals(
                        expected.toByteArray(),
                        decoder(entry.getKey(), packed.toByteArray()).readAllBytes(),
                        entry.getKey() + " round " + round);
            }
        }
    }
}
