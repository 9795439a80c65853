package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;

/** Measures how old the newest row of each venue is in the first snapshot that has it. One thread uses it. */
final class RowAges {
    private final DistributionSummary ages;
    private Map<String, Long> observedMs = Map.of();

    RowAges(MeterRegistry meters) {
        ages = DistributionSummary.builder("observatory.gateway.row.age")
                .description("age of the newest row of a venue in the first snapshot that has it")
                .baseUnit("seconds")
                .serviceLevelObjectives(5, 10, 15, 20, 30, 45, 60, 90, 120, 180)
                .register(meters);
    }

    /** Takes a snapshot that is served from now on. Rows of the first one are of any age, and not measured. */
    void published(Snapshot next) {
        Map<String, Long> before = observedMs;
        observedMs = next.newestObservations();
        observedMs.forEach((venue, ms) -> {
            if (before.getOrDefault(venue, Long.MAX_VALUE) < ms) {
                ages.record((next.generatedAtMs() - ms) / 1_000.0);
            }
        });
    }
}
