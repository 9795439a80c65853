package io.fundingobservatory.gateway.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.testbed.EndedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many clients come, what is remembered of them stays within the memory that is given to it. */
class ClientTableMemoryTest {
    /** Twice as many as the table has places; the whole of the published bound with {@code -Dobservatory.traffic.networks=10000000}. */
    private static final int NETWORKS = Integer.getInteger("observatory.traffic.networks", 500_000);

    private static final int MEGABYTE = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void aFloodOfClientsStaysWithinItsMemory() throws Exception {
        EndedProcess ended = EndedProcess.of(
                ClientTableMemory.class, folder.resolve("log"), Duration.ofMinutes(5), Integer.toString(NETWORKS));
        assertEquals(0, ended.exit(), ended.text());
        Map<String, long[]> said = ended.text()
                .lines()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(
                        words -> words[0],
                        words -> Arrays.stream(words, 1, words.length)
                                .mapToLong(Long::parseLong)
                                .toArray()));
        System.out.println(ended.text());
        assertTrue(said.get("refused-at-first-sight")[0] < 4 * MEGABYTE, "nobody who is refused at once is remembered");
        assertTrue(said.get("random-networks")[1] > 10_000, "it remembers as many as it may");
        assertTrue(said.get("random-networks")[0] <= 64 * MEGABYTE, "48 MB are given to it");
    }
}
