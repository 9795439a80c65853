package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.ListedVenue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ingest in several regions: each exchange is polled from one of them. */
class ChartRegionsTest {
    @Test
    void eachRegionPollsItsOwnVenues() {
        Chart chart = Chart.render(ChartUse.REGIONS);
        Map<String, Set<String>> byRegion = new HashMap<>();
        for (String region : List.of("tokyo", "frankfurt")) {
            Map<String, Object> ingest = chart.object("Deployment", "fo-ingest-" + region);
            String venues = String.valueOf(Values.at(
                    Workloads.variable(
                            Values.at(ingest, "spec.template.spec.containers.0"), "OBSERVATORY_INGEST_VENUES"),
                    "value"));
            byRegion.put(region, Set.of(venues.split(",")));
            assertEquals(
                    region,
                    Values.at(
                            Workloads.variable(
                                    Values.at(ingest, "spec.template.spec.containers.0"), "OBSERVATORY_INGEST_REGION"),
                            "value"),
                    "processes of one region share its venues");
            assertEquals(
                    Values.at(ingest, "spec.selector.matchLabels"),
                    Values.at(chart.object("PodDisruptionBudget", "fo-ingest-" + region), "spec.selector.matchLabels"));
        }
        var both = new HashSet<>(byRegion.get("tokyo"));
        both.retainAll(byRegion.get("frankfurt"));
        assertEquals(Set.of(), both);
        for (Set<String> venues : byRegion.values()) {
            assertEquals(
                    List.of(),
                    venues.stream()
                            .filter(venue -> !ListedVenue.isListed(venue))
                            .toList());
        }
    }

    @Test
    void rejectsRegionsThatShareOrNameNoVenue() {
        assertTrue(refused(Map.of(
                        "ingest.regions[0].name",
                        "a",
                        "ingest.regions[0].replicas",
                        "1",
                        "ingest.regions[0].venues[0]",
                        "okx",
                        "ingest.regions[1].name",
                        "b",
                        "ingest.regions[1].replicas",
                        "1",
                        "ingest.regions[1].venues[0]",
                        "okx"))
                .contains("okx stands in a and in b"));
        assertTrue(refused(Map.of(
                        "ingest.regions[0].name",
                        "a",
                        "ingest.regions[0].replicas",
                        "1",
                        "ingest.regions[1].name",
                        "b",
                        "ingest.regions[1].replicas",
                        "1",
                        "ingest.regions[1].venues[0]",
                        "okx"))
                .contains("a names no venues"));
        assertTrue(refused(Map.of("gateway.replica", "3")).contains("replica"), "a slip of the pen");
    }

    private static String refused(Map<String, String> values) {
        return assertThrows(
                        IllegalStateException.class,
                        () -> Chart.render(template -> {
                            var next = template;
                            for (var value : values.entrySet()) {
                                next = next.set(value.getKey(), value.getValue());
                            }
                            return next;
                        }))
                .getMessage();
    }
}
