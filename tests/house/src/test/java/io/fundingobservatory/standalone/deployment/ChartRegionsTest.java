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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ingest in several regions: each exchange is polled from one of them. */
class ChartRegionsTest {
    @Test
    void eachRegionPollsItsOwnVenues() {
        Chart chart = Chart.render(ChartUse.REGIONS);
        Map<String, Set<String>> byRegion = new HashMap<>();
        for (String region : List.of("tokyo", "frankfurt")) {
            Map<String, Object> ingest = chart.object("Deployment", "fo-ingest-" + region);
            Object container = Values.at(ingest, "spec.template.spec.containers.0");
            String venues = String.valueOf(Values.at(container, "env[OBSERVATORY_INGEST_VENUES].value"));
            byRegion.put(region, Set.of(venues.split(",")));
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            okx is listed in a and in b | ingest.regions[0].venues[0]=okx ingest.regions[1].venues[0]=okx
            a names no venues           | ingest.regions[1].venues[0]=okx
            """)
    void rejectsRegionsThatShareOrNameNoVenue(String line, String venues) {
        String regions = "ingest.regions[0].name=a ingest.regions[0].replicas=1"
                + " ingest.regions[1].name=b ingest.regions[1].replicas=1 " + venues;
        assertTrue(refused(regions).contains(line));
    }

    @Test
    void rejectsMisspeltValue() {
        assertTrue(refused("gateway.replica=3").contains("replica"));
    }

    private static String refused(String values) {
        return assertThrows(
                        IllegalStateException.class,
                        () -> Chart.render(template -> {
                            var next = template;
                            for (String value : values.split(" ")) {
                                next = next.set(value.split("=")[0], value.split("=")[1]);
                            }
                            return next;
                        }))
                .getMessage();
    }
}
