package io.fundingobservatory.ingest.sharing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which process polls which venue. Every venue that any process wants goes to exactly one of those that want it; one that nobody wants
 * goes to any, which says that it is not observed. Who has a venue keeps it while the numbers are even. Pure; a venue is told by its
 * position in the list, which is its partition.
 */
final class VenueDistribution {
    /**
     * A process.
     *
     * @param id its name in the group
     * @param wanted identifiers of the venues that it may poll
     * @param held positions that it polls now
     */
    record Process(String id, Set<String> wanted, Set<Integer> held) {}

    private final List<Process> processes;
    private final Map<String, TreeSet<Integer>> given = new TreeMap<>();

    private VenueDistribution(Collection<Process> processes) {
        this.processes =
                processes.stream().sorted(Comparator.comparing(Process::id)).toList();
        this.processes.forEach(p -> given.put(p.id(), new TreeSet<>()));
    }

    /**
     * Distributes.
     *
     * @param venues identifiers by position; positions beyond its end are wanted by nobody
     * @param positions how many positions there are
     * @param processes at least one
     * @return the positions of each process, by its name
     */
    static Map<String, TreeSet<Integer>> of(List<String> venues, int positions, Collection<Process> processes) {
        var distribution = new VenueDistribution(processes);
        Map<Integer, List<Process>> takers = new HashMap<>();
        for (int position = 0; position < positions; position++) {
            takers.put(position, distribution.takers(position < venues.size() ? venues.get(position) : null));
        }
        takers.keySet().stream()
                .sorted(Comparator.<Integer>comparingInt(p -> takers.get(p).size())
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(position -> distribution.give(position, takers.get(position)));
        while (distribution.evenOut(takers)) {
            // one venue moves at a time, always from more to at least two fewer: the sum of squares falls, so this ends
        }
        return distribution.given;
    }

    private List<Process> takers(@Nullable String venue) {
        List<Process> wanting = processes.stream()
                .filter(p -> venue != null && p.wanted().contains(venue))
                .toList();
        return wanting.isEmpty() ? processes : wanting;
    }

    private void give(int position, List<Process> takers) {
        Process taker = takers.stream()
                .filter(p -> p.held().contains(position))
                .findFirst()
                .orElseGet(() -> takers.stream()
                        .min(Comparator.comparingInt(this::load).thenComparing(Process::id))
                        .orElseThrow());
        given.get(taker.id()).add(position);
    }

    /** Moves one position from a process to one that has at least two fewer; false when there is none to move. */
    private boolean evenOut(Map<Integer, List<Process>> takers) {
        for (Process from : byLoad().reversed()) {
            for (int position : new ArrayList<>(given.get(from.id()))) {
                for (Process to : byLoad()) {
                    if (load(to) + 1 < load(from) && takers.get(position).contains(to)) {
                        given.get(from.id()).remove(position);
                        given.get(to.id()).add(position);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private List<Process> byLoad() {
        return processes.stream()
                .sorted(Comparator.comparingInt(this::load).thenComparing(Process::id))
                .toList();
    }

    private int load(Process process) {
        return given.get(process.id()).size();
    }
}
