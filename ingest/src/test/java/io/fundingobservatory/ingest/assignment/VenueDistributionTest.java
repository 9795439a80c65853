package io.fundingobservatory.ingest.assignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.ingest.assignment.VenueDistribution.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VenueDistributionTest {
    private static final int COUNT = 48;
    private static final List<String> VENUES =
            IntStream.range(0, COUNT).mapToObj(i -> "v" + i).toList();

    private static Member process(String id, Set<String> wanted, Set<Integer> held) {
        return new Member(id, wanted, held);
    }

    @Test
    void aVenueGoesOnlyToWhoWantsIt() {
        var europe = Set.of("v0", "v1", "v2");
        var america = Set.of("v2", "v3");
        Map<String, Set<Integer>> given = VenueDistribution.of(
                VENUES.subList(0, 4), 4, List.of(process("eu", europe, Set.of()), process("us", america, Set.of())));
        assertEquals(Set.of(0, 1), given.get("eu"));
        assertEquals(Set.of(2, 3), given.get("us"));
    }

    @Test
    void whatNobodyWantsIsSpokenForByOne() {
        Map<String, Set<Integer>> given = VenueDistribution.of(
                VENUES, 49, List.of(process("a", Set.of("v1"), Set.of()), process("b", Set.of("v2"), Set.of())));
        assertEquals(49, given.get("a").size() + given.get("b").size());
        assertTrue(given.get("a").contains(1));
        assertTrue(given.get("b").contains(2));
    }

    @Test
    void keepsAssignmentsAndGivesNewProcessHalf() {
        var all = new HashSet<>(VENUES);
        var everything = IntStream.range(0, COUNT).boxed().collect(java.util.stream.Collectors.toSet());
        Map<String, Set<Integer>> given = VenueDistribution.of(
                VENUES, COUNT, List.of(process("a", all, everything), process("b", all, Set.of())));
        assertEquals(24, given.get("a").size());
        assertEquals(24, given.get("b").size());
        Map<String, Set<Integer>> again = VenueDistribution.of(
                VENUES, COUNT, List.of(process("a", all, given.get("a")), process("b", all, given.get("b"))));
        assertEquals(given, again, "nothing moves while nobody comes or goes");
    }

    @Test
    void assignsEachWantedVenueToOneProcess() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var processes = new ArrayList<Member>();
            var free = new ArrayList<>(IntStream.range(0, COUNT).boxed().toList());
            for (int i = 0; i <= random.nextInt(5); i++) {
                var wanted = new HashSet<String>();
                VENUES.forEach(v -> {
                    if (random.nextBoolean()) {
                        wanted.add(v);
                    }
                });
                var held = new HashSet<Integer>();
                free.removeIf(p -> random.nextInt(4) == 0 && held.add(p));
                processes.add(process("p" + i, wanted, held));
            }
            Map<String, Set<Integer>> given = VenueDistribution.of(VENUES, COUNT, processes);
            for (int position = 0; position < COUNT; position++) {
                int at = position;
                List<Member> polling = processes.stream()
                        .filter(p -> given.get(p.id()).contains(at))
                        .toList();
                assertEquals(1, polling.size(), "seed " + seed + " position " + position);
                boolean wantedByAny =
                        processes.stream().anyMatch(p -> p.wanted().contains(VENUES.get(at)));
                assertTrue(
                        !wantedByAny || polling.getFirst().wanted().contains(VENUES.get(at)),
                        "seed " + seed + " position " + position);
            }
        }
    }
}
