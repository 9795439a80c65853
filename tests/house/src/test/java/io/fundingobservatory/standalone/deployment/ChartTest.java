package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.fundingobservatory.testbed.Checkout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.Yaml;

/** The chart, rendered by Helm itself: what Kubernetes would be given. */
class ChartTest {
    @Test
    void helmFindsNothingToComplainOf() {
        LintResult lint = new Helm(Chart.HOME).lint().strict().call();
        assertFalse(lint.isFailed(), () -> String.join("\n", lint.getMessages()));
    }

    @ParameterizedTest
    @EnumSource
    void kubernetesHasEveryField(ChartUse use) {
        assertEquals(List.of(), Chart.render(use).refused());
    }

    @Test
    void streamsKeepsItsStateInItsClaim() {
        Map<String, Object> streams = Chart.render(ChartUse.USUAL).object("StatefulSet", "fo-streams");
        Object container = Values.at(streams, "spec.template.spec.containers.0");
        String stateDir = String.valueOf(Values.at(container, "env[OBSERVATORY_STREAMS_STATE_DIR].value"));
        assertTrue(
                Values.list(Values.at(container, "volumeMounts")).stream()
                        .anyMatch(mount -> "state".equals(Values.at(mount, "name"))
                                && stateDir.startsWith(String.valueOf(Values.at(mount, "mountPath")))),
                stateDir);
    }

    @Test
    void securedBrokersNeedNoSetup() {
        Chart without = Chart.render(template ->
                template.set("kafka.client.security\\.protocol", "SSL").set("kafka.setup.enabled", "false"));
        assertEquals(3, Workloads.of(without).size());
    }

    @Test
    void chartHasPrometheusRulesUnchanged() throws Exception {
        Object spec =
                Chart.render(ChartUse.EVERYTHING).object("PrometheusRule", "fo").get("spec");
        assertEquals(
                new Yaml().<Object>load(Files.readString(Checkout.ROOT.resolve("deploy/prometheus/rules.yaml"))), spec);
    }

    /** nginx's files are those of the compose cluster. */
    @Test
    void proxyHasFilesOfTheClusterUnchanged() throws Exception {
        Chart chart = Chart.render(ChartUse.PROXY);
        Map<String, Object> files =
                Values.map(chart.object("ConfigMap", "fo-proxy").get("data"));
        assertEquals(Files.readString(Chart.ROOT.resolve("deploy/nginx/gateway.conf")), files.get("default.conf"));
        assertEquals(
                Files.readString(Chart.ROOT.resolve("deploy/nginx/server-tls.conf")), files.get("server-tls.conf"));
        String cache = Files.readAllLines(Chart.ROOT.resolve("deploy/nginx/cluster/http.conf")).stream()
                .filter(line -> line.startsWith("proxy_cache_path"))
                .findFirst()
                .orElseThrow();
        assertTrue(String.valueOf(files.get("http.conf")).contains(cache), cache);
        assertTrue(
                String.valueOf(files.get("http.conf")).contains("server fo-gateway:80 max_fails=0;"), files::toString);
        assertTrue(
                String.valueOf(files.get("server.conf"))
                        .contains("set_real_ip_from 10.0.0.0/8;\nset_real_ip_from fd00::/8;\n"),
                files::toString);
        Object pod = Values.at(chart.object("Deployment", "fo-proxy"), "spec.template.spec");
        var mounted = new TreeSet<String>();
        for (Object mount : Values.list(Values.at(pod, "containers.0.volumeMounts"))) {
            mounted.add(String.valueOf(Values.at(mount, "mountPath")));
        }
        assertEquals(Set.of("/tmp", "/etc/nginx/conf.d", "/etc/nginx/site", "/etc/nginx/tls"), mounted);
    }

    @Test
    void balancerKeepsAddressesOfClients() {
        assertEquals(
                "Local",
                Values.at(
                        Chart.render(template -> template.set("gateway.service.type", "LoadBalancer"))
                                .object("Service", "fo-gateway"),
                        "spec.externalTrafficPolicy"));
    }

    /** Helm leaves hooks out of what it renders, and an uninstall leaves them in the cluster. */
    @Test
    void hooksAreRemovedAfterSuccess() throws Exception {
        int hooks = 0;
        try (var files = Files.walk(Chart.HOME.resolve("templates"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                int here = text.split("helm.sh/hook: ", -1).length - 1;
                hooks += here;
                assertEquals(here, text.split("before-hook-creation,hook-succeeded", -1).length - 1, file.toString());
            }
        }
        assertEquals(3, hooks);
    }

    @Test
    void detectsPlantedError(@TempDir Path dir) throws Exception {
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
}
