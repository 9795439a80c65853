package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fundingobservatory.testbed.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Tests the alerts with Prometheus' own tool: {@code promtool}, in Debian's package {@code prometheus}. Where
 * it is missing these tests are reported as skipped; {@code -Dobservatory.promtool=PATH} names another path.
 */
class RulesTest {
    private static final Path PROMETHEUS = Checkout.ROOT.resolve("deploy/prometheus");

    @Test
    void everyAlertFiresOnItsCauseOnly() throws Exception {
        promtool("test", "rules", "rules_test.yaml");
    }

    @Test
    void prometheusReadsTheRulesAndItsConfiguration() throws Exception {
        promtool("check", "rules", "rules.yaml");
        promtool("check", "config", "prometheus.yaml");
    }

    @Test
    void everyAlertHasATest() throws IOException {
        var rules = new TreeSet<Object>();
        for (Object group : Values.list(Values.at(yaml("rules.yaml"), "groups"))) {
            Values.list(Values.at(group, "rules")).stream()
                    .map(rule -> Values.at(rule, "alert"))
                    .filter(Objects::nonNull)
                    .forEach(rules::add);
        }
        var fired = new TreeSet<Object>();
        for (Object test : Values.list(Values.at(yaml("rules_test.yaml"), "tests"))) {
            Object alerts = Values.at(test, "alert_rule_test");
            if (alerts != null) {
                Values.list(alerts).stream()
                        .filter(one ->
                                !Values.list(Values.at(one, "exp_alerts")).isEmpty())
                        .forEach(one -> fired.add(String.valueOf(Values.at(one, "alertname"))));
            }
        }
        assertEquals(rules, fired);
    }

    private static Object yaml(String file) throws IOException {
        return new Yaml().load(Files.readString(PROMETHEUS.resolve(file)));
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        Optional<Path> tool = find();
        assumeTrue(tool.isPresent(), "promtool is not installed: the alerts were not tested");
        var command = new ArrayList<>(List.of(tool.orElseThrow().toString()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command)
                .directory(PROMETHEUS.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(5, TimeUnit.MINUTES), output);
        assertEquals(0, process.exitValue(), output);
    }

    private static Optional<Path> find() {
        String named = System.getProperty("observatory.promtool");
        return (named != null
                        ? List.of(Path.of(named))
                        : Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                                .map(place -> Path.of(place, "promtool"))
                                .collect(Collectors.toList()))
                .stream().filter(Files::isExecutable).findFirst();
    }
}
