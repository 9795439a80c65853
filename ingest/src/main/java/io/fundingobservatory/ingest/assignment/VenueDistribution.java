package io.fundingobservatory.ingest.assignment;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns each venue to the process that polls it. A wanted venue goes to exactly one of the processes that
 * want it. A venue that no process wants goes to any process, which reports that it is not observed. A
 * process keeps its venues while the numbers are even. Pure. A venue is identified by its position in the
 * list, which is its partition.
 */
final class VenueDistribution {
    /**
     * A process.
     *
     * @param id its name in the group
     * @param wanted identifiers of the venues that it may poll
     * @param held positions that it polls now
     */
    record Member(String id, Set<String> wanted, Set<Integer> held) {}

    /** What a process is given. */
    private record Share(Member process, TreeSet<Integer> positions) {
        static final Comparator<Share> FEWEST_FIRST = Comparator.comparingInt(Share::size)
                .thenComparing(share -> share.process().id());

        int size() {
            return positions.size();
        }
    }

    /** A position and the shares that it may be part of. */
    private record Slot(int position, List<Share> takers) {}

    private VenueDistribution() {}

    /**
     * Distributes.
     *
     * @param venues identifiers by position; positions beyond its end are wanted by nobody
     * @param positions how many positions there are
     * @param processes at least one
     * @return the positions of each process, by its name
     */
    static Map<String, Set<Integer>> of(List<String> venues, int positions, Collection<Member> processes) {
        List<Share> shares = processes.stream()
                .map(process -> new Share(process, new TreeSet<>()))
                .sorted(Share.FEWEST_FIRST)
                .toList();
        List<Slot> slots = IntStream.range(0, positions)
                .mapToObj(p -> new Slot(p, takers(shares, p < venues.size() ? venues.get(p) : null)))
                .sorted(Comparator.<Slot>comparingInt(slot -> slot.takers().size())
                        .thenComparingInt(Slot::position))
                .toList();
        slots.forEach(VenueDistribution::give);
        while (evenOut(shares, slots)) {
            // one position moves at a time, from a share to one that has at least two fewer: the sum of squares falls,
            // so this ends
        }
        return shares.stream()
                .collect(Collectors.toMap(share -> share.process().id(), share -> Set.copyOf(share.positions())));
    }

    private static List<Share> takers(List<Share> shares, @Nullable String venue) {
        List<Share> wanting = shares.stream()
                .filter(share -> venue != null && share.process().wanted().contains(venue))
                .toList();
        return wanting.isEmpty() ? shares : wanting;
    }

    private static void give(Slot slot) {
        slot.takers().stream()
                .filter(share -> share.process().held().contains(slot.position()))
                .findFirst()
                .orElseGet(() -> slot.takers().stream().min(Share.FEWEST_FIRST).orElseThrow())
                .positions()
                .add(slot.position());
    }

    /** Moves one position from a share to one that has at least two fewer; false when there is none to move. */
    private static boolean evenOut(List<Share> shares, List<Slot> slots) {
        for (Share from : shares.stream().sorted(Share.FEWEST_FIRST.reversed()).toList()) {
            for (Slot slot : slots) {
                Share to = slot.takers().stream().min(Share.FEWEST_FIRST).orElse(from);
                if (from.positions().contains(slot.position()) && to.size() + 1 < from.size()) {
                    from.positions().remove(slot.position());
                    to.positions().add(slot.position());
                    return true;
                }
            }
        }
        return false;
    }
}
