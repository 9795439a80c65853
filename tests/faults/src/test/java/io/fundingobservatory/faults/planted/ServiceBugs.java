package io.fundingobservatory.faults.planted;

import java.util.List;

/** Mistakes that show only in running services: planted by the {@link Agent}, by name. */
public enum ServiceBugs {
    /** Streams commits offsets and rows each for itself. */
    AT_LEAST_ONCE(new Patch.Constant(
            "io.fundingobservatory.streams.StreamsConfiguration", "of", "exactly_once_v2", "at_least_once")),
    /** The gateway shows what may still be aborted. */
    READS_UNCOMMITTED(new Patch.Constant(
            "io.fundingobservatory.gateway.tables.TableFollower", "properties", "read_committed", "read_uncommitted"));

    private final List<Patch> patches;

    ServiceBugs(Patch... patches) {
        this.patches = List.of(patches);
    }

    List<Patch> patches() {
        return patches;
    }
}
