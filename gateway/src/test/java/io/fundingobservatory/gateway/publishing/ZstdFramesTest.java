package io.fundingobservatory.gateway.publishing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.fundingobservatory.gateway.core.coding.Gzip;
import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.fixture.Responses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Decoded with decoders that stop after one zstd frame and one gzip member. */
class ZstdFramesTest {
    /**
     * Segments of every kind in any order and number: single bytes, short repeats, random bytes, and ones that are longer than any
     * window or buffer.
     */
    @Test
    void aListIsOneMemberAndOneFrame() throws IOException {
        var random = new Random(20261122);
        var kinds = new ArrayList<byte[]>();
        kinds.add(",".getBytes(StandardCharsets.UTF_8));
        for (int distance = 1; distance <= 20; distance++) {
            kinds.add("0123456789abcdefghij"
                    .substring(0, distance)
                    .repeat(400 / distance)
                    .getBytes(StandardCharsets.UTF_8));
        }
        for (int length : new int[] {70_000, (128 << 10) - 1, 128 << 10, 256 << 10}) {
            var noise = new byte[length];
            random.nextBytes(noise);
            kinds.add(noise);
        }
        var rows = new StringBuilder();
        for (int i = 0; i < 12_000; i++) {
            rows.append("{\"venue\":\"okx\",\"symbol\":\"A").append(i).append("\",\"funding_rate_8h\":0.000");
            rows.append(random.nextInt(100_000)).append("},");
        }
        kinds.add(rows.toString().getBytes(StandardCharsets.UTF_8));
        for (int round = 0; round < 40; round++) {
            var identity = new ArrayList<Segment>();
            var deflated = new ArrayList<Segment>();
            var expected = new ByteArrayOutputStream();
            for (int i = random.nextInt(30); i >= 0; i--) {
                byte[] part = kinds.get(random.nextInt(kinds.size()));
                identity.add(Segment.of(part));
                deflated.add(Segment.of(Gzip.segment(part)));
                expected.writeBytes(part);
            }
            assertArrayEquals(expected.toByteArray(), Responses.firstMember(bytes(Gzip.member(deflated, identity))));
            assertArrayEquals(
                    expected.toByteArray(),
                    Responses.firstFrame(ZstdFrames.forLists().compress(identity)));
        }
    }

    private static byte[] bytes(List<Segment> body) {
        var all = new ByteArrayOutputStream();
        body.forEach(segment -> all.writeBytes(segment.joined()));
        return all.toByteArray();
    }
}
