package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryTest {
    private static final long END = Instant.parse("2030-01-02T03:00:00Z").toEpochMilli();

    @Test
    void closedVenuesAreNotOpen() {
        List<ListedVenue> listed = List.of(
                ListedVenue.of("okx").closing("2030-01-02T03:00:00Z", "https://okx.example/end"),
                ListedVenue.of("gate"));
        assertEquals(List.of("okx", "gate"), open(listed, END - 1));
        assertEquals(List.of("gate"), open(listed, END));
    }

    private static List<String> open(List<ListedVenue> listed, long nowMs) {
        return Registry.open(listed, nowMs).stream()
                .map(venue -> venue.spec().id())
                .toList();
    }

    /** Terms are evidence: rows are of listed venues; the last one is for all others, of which nothing is known. */
    @Test
    void termsNameListedVenues() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("TERMS.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.split("\\|")[1].strip())
                .skip(1)
                .toList();
        assertEquals("every other listed exchange", rows.getLast());
        assertEquals(
                List.of(),
                rows.subList(0, rows.size() - 1).stream()
                        .filter(id -> !ListedVenue.isListed(id))
                        .toList());
    }
}
