package io.fundingobservatory.ingest.venues;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.ListedVenue;
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
}
