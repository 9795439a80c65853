package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.runtime.TopicCreation;
import io.fundingobservatory.testbed.Checkout;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.access.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The chart in clusters that others set up: OpenShift, Strimzi, kube-prometheus-stack. {@link ChartTest} validates every field. */
class ChartFitsTest {
    private static final Path CATALOGUE = Chart.HOME.resolve("files/catalogue.yaml");

    @Test
    void strimziHasUsersAndNoSetup() {
        Chart chart = Chart.render(ChartUse.STRIMZI);
        assertEquals(
                Set.of("fo-ingest", "fo-streams", "fo-gateway", "fo-pricing"),
                chart.objects().stream()
                        .filter(object -> "KafkaUser".equals(object.get("kind")))
                        .map(object -> String.valueOf(Values.at(object, "metadata.name")))
                        .collect(Collectors.toSet()));
        assertTrue(chart.objects().stream().noneMatch(object -> "Job".equals(object.get("kind"))));
    }

    /** With {@code -Dobservatory.chart=write} it writes the file. */
    @Test
    void rendersTopicsAndRightsOfTheCatalogue() throws IOException {
        String expected = catalogue();
        if ("write".equals(System.getProperty("observatory.chart"))) {
            Files.writeString(CATALOGUE, expected);
        }
        assertEquals(expected, Files.readString(CATALOGUE));
    }

    private static String catalogue() {
        var text = new StringBuilder(
                "# Topics and rights as in the module topics; written by ChartFitsTest with -Dobservatory.chart=write.\n");
        text.append("topics:\n");
        TopicCreation.catalogue((short) 1).stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .forEach(topic -> {
                    text.append("  - name: ")
                            .append(topic.name())
                            .append("\n    partitions: ")
                            .append(topic.numPartitions());
                    text.append("\n    config:\n");
                    new TreeMap<>(topic.configs())
                            .forEach((key, value) -> text.append("      %s: \"%s\"%n".formatted(key, value)));
                });
        text.append("roles:\n");
        for (Role role : Role.values()) {
            text.append("  ").append(role.word()).append(":\n");
            role.grants()
                    .forEach(grant -> text.append("    - {type: %s, name: %s, patternType: %s, operations: [%s]}%n"
                            .formatted(
                                    grant.resource().resourceType() == ResourceType.TRANSACTIONAL_ID
                                            ? "transactionalId"
                                            : grant.resource()
                                                    .resourceType()
                                                    .name()
                                                    .toLowerCase(Locale.ROOT),
                                    grant.resource().name(),
                                    grant.resource().patternType()
                                                    == org.apache.kafka.common.resource.PatternType.PREFIXED
                                            ? "prefix"
                                            : "literal",
                                    grant.operations().stream()
                                            .sorted()
                                            .map(ChartFitsTest::word)
                                            .collect(Collectors.joining(", ")))));
        }
        return text.toString();
    }

    /** Such as {@code DescribeConfigs}. */
    private static String word(AclOperation operation) {
        return List.of(operation.name().split("_")).stream()
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    @Test
    void dashboardIsUnchanged() throws IOException {
        Map<String, Object> dashboard = Chart.render(ChartUse.PROMETHEUS).object("ConfigMap", "fo-dashboard");
        assertEquals(
                new Yaml()
                        .<Object>load(Files.readString(
                                Checkout.ROOT.resolve("deploy/grafana/dashboards/funding-observatory.json"))),
                new Yaml()
                        .<Object>load(
                                String.valueOf(Values.map(dashboard.get("data")).get("funding-observatory.json"))));
    }

    @Test
    void letsTheReaderOfTheDashboardChoose() throws IOException {
        String text = Files.readString(Checkout.ROOT.resolve("deploy/grafana/dashboards/funding-observatory.json"));
        assertTrue(
                text.contains("${datasource}") && !text.contains("\"uid\": \"prometheus\""),
                "one data source for all panels");
        List<String> everywhere = text.lines()
                .filter(line -> line.contains("\"expr\"") && !line.contains("$namespace"))
                .toList();
        assertEquals(List.of(), everywhere);
    }

    @Test
    void opensThePortsOfTheBrokers() {
        Chart chart = Chart.render(template -> template.set("kafka.bootstrapServers", "a:9094,b:9095"));
        assertEquals(
                List.of(9094, 9095),
                Values.list(Values.at(chart.object("NetworkPolicy", "fo-gateway"), "spec.egress.1.ports")).stream()
                        .map(port -> Values.at(port, "port"))
                        .toList());
    }

    /** Each exchange is polled from one region. */
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
}
