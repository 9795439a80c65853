package io.fundingobservatory.gateway.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.VenueStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompletenessTest {
    private static final long NOW = 1_790_000_000_000L;

    private static boolean ready(List<Rate> okx, boolean deadline, VenueStatus... statuses) {
        var all = new ArrayList<>(List.of(statuses));
        // The others have said that they are not read; without any status they have said nothing.
        for (ListedVenue venue : ListedVenue.ALL) {
            if (statuses.length > 0
                    && all.stream().noneMatch(status -> status.venue().equals(venue.id()))) {
                all.add(Samples.withoutReader(venue.id()));
            }
        }
        return Completeness.firstListReady(Map.of("okx", VenueRows.of("okx", okx, NOW)), all, deadline);
    }

    private static final Rate A = Samples.rate("okx", "A", "A", NOW);
    private static final Rate B = Samples.rate("okx", "B", "B", NOW);

    @Test
    void waitsForEveryRowOfEveryVenueThatWasRead() {
        VenueStatus two = Samples.read("okx", NOW, 2, Map.of());
        assertFalse(ready(List.of(A), false, two));
        assertTrue(ready(List.of(A, B), false, two));
    }

    @Test
    void waitsForEveryReaderToBeTriedButNotForThoseThatFail() {
        VenueStatus one = Samples.read("okx", NOW, 1, Map.of());
        assertFalse(ready(List.of(A), false, one, Samples.untouched("gate")));
        assertTrue(ready(List.of(A), false, one, Samples.failed("gate", NOW, null, "HTTP 451")));
        assertTrue(ready(List.of(A), false, one, Samples.withoutReader("gate")));
    }

    @Test
    void aVenueThatHasSaidNothingIsWaitedFor() {
        VenueStatus one = Samples.read("okx", NOW, 1, Map.of());
        assertFalse(
                Completeness.firstListReady(Map.of("okx", VenueRows.of("okx", List.of(A), NOW)), List.of(one), false));
    }

    @Test
    void withoutAnyStatusNothingIsKnownToBeComplete() {
        assertFalse(ready(List.of(A), false));
    }

    @Test
    void theDeadlineEndsTheWaitingButNeverWithAnEmptyList() {
        VenueStatus two = Samples.read("okx", NOW, 2, Map.of());
        assertTrue(ready(List.of(A), true, two));
        assertFalse(ready(List.of(), true, two));
        assertFalse(ready(List.of(Samples.rate("okx", "A", "A", NOW - 600_001)), true, two));
    }
}
