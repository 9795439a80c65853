package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fundingobservatory.topics.ListedVenue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart, rendered by Helm itself: what Kubernetes would be given. */
class ChartTest {
    private static final List<String> WORKLOADS = List.of("Deployment", "StatefulSet", "Job");

    /** Every way in which the chart is meant to be used. */
    enum Use implements UnaryOperator<TemplateCommand> {
        USUAL,
        SECURED,
        REGIONS,
        EVERYTHING;

        @Override
        public TemplateCommand apply(TemplateCommand template) {
            return switch (this) {
                case USUAL -> template;
                case SECURED -> template.withValuesFile(Chart.HOME.resolve("values-secured.yaml"));
                case REGIONS -> template.withValuesFile(Chart.HOME.resolve("values-regions.yaml"));
                case EVERYTHING ->
                    template.withValuesFile(Chart.HOME.resolve("values-secured.yaml"))
                            .withValuesFile(Chart.HOME.resolve("values-regions.yaml"))
                            .set("kafka.setup.teams[0]", "pricing")
                            .set("kafka.client.linger\\.ms", "7")
                            .set("ingest.contact", "ops@example.org")
                            .set("ingest.proxy", "http://proxy:3128")
                            .set("image.pullSecrets[0]", "registry")
                            .set("gateway.trustedProxies", "10.0.0.0/8")
                            .set("gateway.ingress.enabled", "true")
                            .set("gateway.ingress.host", "rates.example.org")
                            .set("gateway.ingress.tlsSecret", "rates-tls")
                            .set("networkPolicy.gatewayPeers[0].namespaceSelector.matchLabels.name", "ingress")
                            .set("streams.storage.className", "fast")
                            .set("monitoring.podMonitor", "true")
                            .setFile("monitoring.rules", Chart.ROOT.resolve("deploy/prometheus/rules.yaml"));
            };
        }
    }

    static Stream<Use> uses() {
        return Stream.of(Use.values());
    }

    @Test
    void helmFindsNothingToComplainOf() {
        LintResult lint = new Helm(Chart.HOME).lint().strict().call();
        assertFalse(lint.isFailed(), () -> String.join("\n", lint.getMessages()));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void kubernetesKnowsEveryField(Use use) {
        assertEquals(List.of(), Chart.render(use).refused());
    }

    @ParameterizedTest
    @MethodSource("uses")
    void everyContainerIsConfinedAndHasItsMemory(Use use) {
        int containers = 0;
        for (Map<String, Object> workload : workloads(Chart.render(use))) {
            Object pod = Values.at(workload, "spec.template.spec");
            String name = workload.get("kind") + " " + Values.at(workload, "metadata.name");
            assertEquals(true, Values.at(pod, "securityContext.runAsNonRoot"), name);
            assertEquals("RuntimeDefault", Values.at(pod, "securityContext.seccompProfile.type"), name);
            assertEquals(false, Values.at(pod, "automountServiceAccountToken"), name);
            for (Object container : containers(pod)) {
                containers++;
                assertEquals(true, Values.at(container, "securityContext.readOnlyRootFilesystem"), name);
                assertEquals(false, Values.at(container, "securityContext.allowPrivilegeEscalation"), name);
                assertEquals(List.of("ALL"), Values.at(container, "securityContext.capabilities.drop"), name);
                assertTrue(Values.at(container, "resources.limits.memory") != null, name);
                assertTrue(Values.at(container, "resources.requests.cpu") != null, name);
                assertTrue(String.valueOf(Values.at(container, "image")).matches(".*:\\d+\\.\\d+\\.\\d+"), name);
            }
        }
        assertTrue(containers >= 4, containers + " containers");
    }

    @Test
    void noProbeThatRestartsAsksForABroker() {
        var asked = new TreeSet<String>();
        for (Map<String, Object> workload : workloads(Chart.render(Use.USUAL))) {
            if (workload.get("kind").equals("Job")) {
                continue;
            }
            Object container = Values.at(workload, "spec.template.spec.containers.0");
            asked.add(String.valueOf(Values.at(container, "name")));
            assertEquals("/health/liveness", Values.at(container, "livenessProbe.httpGet.path"));
            assertEquals("/health/liveness", Values.at(container, "startupProbe.httpGet.path"));
            assertEquals("/health/readiness", Values.at(container, "readinessProbe.httpGet.path"));
        }
        assertEquals(Set.of("gateway", "ingest", "streams"), asked);
    }

    @Test
    void anInstanceOfStreamsIsTheSameAfterARestart() {
        Map<String, Object> streams = Chart.render(Use.USUAL).object("StatefulSet", "fo-streams");
        Object container = Values.at(streams, "spec.template.spec.containers.0");
        assertEquals(
                "metadata.name",
                Values.at(variable(container, "OBSERVATORY_STREAMS_INSTANCE_ID"), "valueFrom.fieldRef.fieldPath"));
        assertEquals("state", Values.at(streams, "spec.volumeClaimTemplates.0.metadata.name"));
        String stateDir = String.valueOf(Values.at(variable(container, "OBSERVATORY_STREAMS_STATE_DIR"), "value"));
        assertTrue(
                Values.list(Values.at(container, "volumeMounts")).stream()
                        .anyMatch(mount -> "state".equals(Values.at(mount, "name"))
                                && stateDir.startsWith(String.valueOf(Values.at(mount, "mountPath")))),
                stateDir);
    }

    @Test
    void aSecuredInstallationGivesEachRoleItsOwnPasswordAndNobodyElses() {
        Chart chart = Chart.render(Use.SECURED);
        for (Map.Entry<String, Map<String, Object>> part : Map.of(
                        "ingest", chart.object("Deployment", "fo-ingest-default"),
                        "streams", chart.object("StatefulSet", "fo-streams"),
                        "gateway", chart.object("Deployment", "fo-gateway"))
                .entrySet()) {
            Object pod = Values.at(part.getValue(), "spec.template.spec");
            Object container = Values.at(pod, "containers.0");
            assertEquals(
                    "kafka-user-" + part.getKey(),
                    Values.at(variable(container, "KAFKA_PASSWORD"), "valueFrom.secretKeyRef.name"));
            assertEquals(
                    "SASL_SSL", Values.at(variable(container, "OBSERVATORY_KAFKA_CLIENT_SECURITY_PROTOCOL"), "value"));
            List<Object> order = Values.list(Values.at(container, "env")).stream()
                    .<Object>map(variable -> Values.at(variable, "name"))
                    .toList();
            assertTrue(
                    order.indexOf("KAFKA_PASSWORD") < order.indexOf("OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG"),
                    "what is put into a value stands before it");
            assertFalse(pod.toString().contains("kafka-admin"), "only the setup is an administrator");
        }
        String usual = Chart.render(Use.USUAL).objects().toString();
        assertFalse(usual.contains("SASL") || usual.contains("secretKeyRef"), usual);
    }

    @Test
    void theSetupMakesTopicsAndWhereSecuredAccess() {
        Object usual = Values.at(Chart.render(Use.USUAL).object("Job", "fo-setup"), "spec.template.spec");
        assertEquals(
                List.of("topics", "--create", "--replication", "3", "--bootstrap-server", "kafka:9092"),
                Values.at(usual, "containers.0.args"));
        assertNull(Values.at(usual, "initContainers"));
        Object all = Values.at(Chart.render(Use.EVERYTHING).object("Job", "fo-setup"), "spec.template.spec");
        assertEquals("topics", Values.at(all, "initContainers.0.args.0"));
        assertEquals(
                List.of(
                        "access",
                        "--apply",
                        "--bootstrap-server",
                        "kafka:9092",
                        "--command-config",
                        "/etc/kafka-admin/client.properties",
                        "--user",
                        "team=pricing"),
                Values.at(all, "containers.0.args"));
    }

    @Test
    void eachRegionPollsItsOwnVenues() {
        Chart chart = Chart.render(Use.REGIONS);
        Map<String, Set<String>> byRegion = new HashMap<>();
        for (String region : List.of("tokyo", "frankfurt")) {
            Map<String, Object> ingest = chart.object("Deployment", "fo-ingest-" + region);
            String venues = String.valueOf(Values.at(
                    variable(Values.at(ingest, "spec.template.spec.containers.0"), "OBSERVATORY_INGEST_VENUES"),
                    "value"));
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

    @Test
    void regionsThatShareAVenueOrNameNoneAreRefused() {
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

    @ParameterizedTest
    @MethodSource("uses")
    void policiesBudgetsAndServicesSelectPodsThatThereAre(Use use) {
        Chart chart = Chart.render(use);
        List<Map<String, Object>> pods = workloads(chart).stream()
                .map(workload -> Values.map(Values.at(workload, "spec.template.metadata.labels")))
                .toList();
        var withoutPolicy = pods.stream()
                .map(labels -> labels.get("app.kubernetes.io/component"))
                .collect(Collectors.toCollection(TreeSet<Object>::new));
        int selectors = 0;
        for (Map<String, Object> object : chart.objects()) {
            Object selector = switch (String.valueOf(object.get("kind"))) {
                case "Service" -> Values.at(object, "spec.selector");
                case "NetworkPolicy" -> Values.at(object, "spec.podSelector.matchLabels");
                case "PodDisruptionBudget", "PodMonitor", "Deployment", "StatefulSet" ->
                    Values.at(object, "spec.selector.matchLabels");
                default -> null;
            };
            if (selector == null) {
                continue;
            }
            selectors++;
            var wanted = Values.map(selector).entrySet();
            assertTrue(
                    pods.stream().anyMatch(labels -> labels.entrySet().containsAll(wanted)),
                    object.get("kind") + " " + Values.at(object, "metadata.name") + " selects nothing: " + wanted);
            if ("NetworkPolicy".equals(object.get("kind"))) {
                withoutPolicy.remove(Values.map(selector).get("app.kubernetes.io/component"));
            }
        }
        assertTrue(selectors > 8, selectors + " selectors");
        assertEquals(Set.of(), withoutPolicy, "parts without a network policy");
    }

    @Test
    void onlyIngestReachesTheWorld() {
        for (String part : List.of("ingest", "streams", "gateway", "setup")) {
            Map<String, Object> policy = Chart.render(Use.USUAL).object("NetworkPolicy", "fo-" + part);
            Set<Object> ports = Values.list(Values.at(policy, "spec.egress")).stream()
                    .flatMap(rule -> Values.list(Values.at(rule, "ports")).stream())
                    .map(port -> Values.at(port, "port"))
                    .collect(Collectors.toSet());
            assertEquals(part.equals("ingest") ? Set.of(53, 9092, 443) : Set.of(53, 9092), ports, part);
        }
    }

    @Test
    void theRulesOfPrometheusStandInTheChartAsInTheirFile() throws Exception {
        Object spec =
                Chart.render(Use.EVERYTHING).object("PrometheusRule", "fo").get("spec");
        assertEquals(
                new org.yaml.snakeyaml.Yaml()
                        .<Object>load(Files.readString(Chart.ROOT.resolve("deploy/prometheus/rules.yaml"))),
                spec);
    }

    @Test
    void aPlantedErrorIsSeen(@TempDir Path dir) throws Exception {
        Path copy = dir.resolve("funding-observatory");
        try (var files = Files.walk(Chart.HOME)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(Chart.HOME.relativize(file).toString()));
            }
        }
        Path gateway = copy.resolve("templates/gateway.yaml");
        Files.writeString(gateway, Files.readString(gateway).replace("replicas: {{", "replica: {{"));
        assertEquals(
                1, Chart.render(copy, template -> template).refused().size(), "a field that Kubernetes does not know");
    }

    private static List<Map<String, Object>> workloads(Chart chart) {
        return chart.objects().stream()
                .filter(object -> WORKLOADS.contains(String.valueOf(object.get("kind"))))
                .toList();
    }

    private static List<Object> containers(@Nullable Object pod) {
        return Stream.of("initContainers", "containers")
                .map(kind -> Values.at(pod, kind))
                .filter(containers -> containers != null)
                .<Object>flatMap(containers -> Values.list(containers).stream())
                .toList();
    }

    private static Object variable(@Nullable Object container, String name) {
        return Values.list(Values.at(container, "env")).stream()
                .filter(variable -> name.equals(Values.at(variable, "name")))
                .findFirst()
                .<Object>map(variable -> variable)
                .orElseThrow(() -> new AssertionError(name + " is not set"));
    }
}
