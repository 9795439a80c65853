package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The chart's containers, secrets, network policies and budgets: what each part may do, and that nothing is left out. */
class ChartSecurityTest {
    @ParameterizedTest
    @EnumSource
    void everyContainerIsConfinedAndHasItsMemory(ChartUse use) {
        int containers = 0;
        for (Map<String, Object> workload : Workloads.of(Chart.render(use))) {
            Object pod = Values.at(workload, "spec.template.spec");
            String name = workload.get("kind") + " " + Values.at(workload, "metadata.name");
            assertEquals(true, Values.at(pod, "securityContext.runAsNonRoot"), name);
            assertEquals("RuntimeDefault", Values.at(pod, "securityContext.seccompProfile.type"), name);
            assertEquals(false, Values.at(pod, "automountServiceAccountToken"), name);
            for (Object container : Workloads.containers(pod)) {
                containers++;
                assertEquals(true, Values.at(container, "securityContext.readOnlyRootFilesystem"), name);
                assertEquals(false, Values.at(container, "securityContext.allowPrivilegeEscalation"), name);
                assertEquals(List.of("ALL"), Values.at(container, "securityContext.capabilities.drop"), name);
                assertTrue(Values.at(container, "resources.limits.memory") != null, name);
                assertTrue(Values.at(container, "resources.requests.cpu") != null, name);
                assertTrue(
                        String.valueOf(Values.at(container, "image")).matches(".*:\\d+\\.\\d+\\.\\d+(-alpine)?"), name);
            }
        }
        assertTrue(containers >= 3, containers + " containers");
    }

    @Test
    void eachRoleGetsOnlyItsOwnPassword() {
        Chart chart = Chart.render(ChartUse.SECURED);
        for (Map<String, Object> part : List.of(
                chart.object("Deployment", "fo-ingest-default"),
                chart.object("StatefulSet", "fo-streams"),
                chart.object("Deployment", "fo-gateway"))) {
            Object pod = Values.at(part, "spec.template.spec");
            Object container = Values.at(pod, "containers.0");
            List<Object> order = Values.list(Values.at(container, "env")).stream()
                    .<Object>map(variable -> Values.at(variable, "name"))
                    .toList();
            assertTrue(
                    order.indexOf("KAFKA_PASSWORD") < order.indexOf("OBSERVATORY_KAFKA_CLIENT_SASL_JAAS_CONFIG"),
                    "what a value needs is defined before it");
            assertFalse(pod.toString().contains("kafka-admin"), "only the setup is an administrator");
        }
        String usual = Chart.render(ChartUse.USUAL).objects().toString();
        assertFalse(usual.contains("SASL") || usual.contains("secretKeyRef"), usual);
    }

    @ParameterizedTest
    @EnumSource
    void policiesBudgetsAndServicesSelectExistingPods(ChartUse use) {
        Chart chart = Chart.render(use);
        List<Map<String, Object>> pods = Workloads.of(chart).stream()
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
            assertEquals(
                    part.equals("ingest") ? Set.of(53, 5353, 9092, 443) : Set.of(53, 5353, 9092),
                    ports(Chart.render(ChartUse.USUAL), part),
                    part);
        }
    }

    @Test
    void ingestReachesSimulatedExchanges() {
        Chart chart = Chart.render(template -> template.set("ingest.exchanges", "simulated:http://exchanges:8090"));
        assertEquals(Set.of(53, 5353, 9092, 8090), ports(chart, "ingest"));
    }

    private static Set<Object> ports(Chart chart, String part) {
        Map<String, Object> policy = chart.object("NetworkPolicy", "fo-" + part);
        return Values.list(Values.at(policy, "spec.egress")).stream()
                .flatMap(rule -> Values.list(Values.at(rule, "ports")).stream())
                .map(port -> Values.at(port, "port"))
                .collect(Collectors.toSet());
    }
}
