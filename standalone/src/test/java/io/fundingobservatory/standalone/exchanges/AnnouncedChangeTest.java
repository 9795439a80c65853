package io.fundingobservatory.standalone.exchanges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AnnouncedChangeTest {
    private static final String PAGE = """
            # A page

            | due | venue | announced | what | source | what to do |
            |---|---|---|---|---|---|
            | 2026-12-25 | gate | 2026-10-01 | v4 ends | a page | use v5 |
            | - | okx | 2026-10-01 | v5 is old | a page | wait |
            | 2026-12-26 | mexc | 2026-10-01 | contract moves | a page | move |
            | 2026-11-20 | htx | 2026-10-01 | v1 ends | a page | use v5 |
            """;

    private static List<String> due(String today) {
        return AnnouncedChange.due(AnnouncedChange.parse(PAGE), LocalDate.parse(today)).stream()
                .map(AnnouncedChange::venue)
                .toList();
    }

    @Test
    void namesChangesDueWithinThirtyDaysOrOverdue() {
        assertEquals(List.of(), due("2026-10-20"));
        assertEquals(List.of("htx"), due("2026-10-21"));
        assertEquals(List.of("htx", "gate"), due("2026-11-25"));
        assertEquals(List.of("htx", "gate", "mexc"), due("2026-11-26"));
    }

    @Test
    void readsEachCell() {
        AnnouncedChange first = AnnouncedChange.parse(PAGE).getFirst();
        assertEquals(
                new AnnouncedChange(
                        LocalDate.parse("2026-12-25"),
                        "gate",
                        LocalDate.parse("2026-10-01"),
                        "v4 ends",
                        "a page",
                        "use v5"),
                first);
        assertEquals("due 2026-12-25: gate: v4 ends. use v5 (a page)", first.line());
        assertThrows(IllegalArgumentException.class, () -> AnnouncedChange.parse("|a|\n|-|\n| - | okx | what |"));
    }

    @Test
    void tableOfThisReleaseIsOfListedVenues() {
        List<AnnouncedChange> all = AnnouncedChange.all();
        assertFalse(all.isEmpty());
        all.forEach(change -> ListedVenue.of(change.venue()));
    }

    /** Depends on the day, so the gate leaves it out. */
    @Test
    @Tag("nightly")
    void nothingIsOverdue() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        List<AnnouncedChange> due = AnnouncedChange.due(AnnouncedChange.all(), today);
        due.forEach(change -> System.out.println(change.line()));
        assertTrue(
                due.stream().noneMatch(change -> today.isAfter(Objects.requireNonNull(change.due()))), due::toString);
    }
}
