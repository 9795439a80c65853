package io.fundingobservatory.standalone.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.ingest.IngestSettings;
import io.fundingobservatory.runtime.KafkaAccess;
import io.fundingobservatory.streams.StreamsSettings;
import io.fundingobservatory.testbed.Checkout;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/**
 * Tables of {@code docs/operations} that are written from the code. With {@code -Dobservatory.pages=write} they replace those in
 * the pages.
 */
final class GeneratedTables {
    private static final Path PAGES = Checkout.ROOT.resolve("docs/operations");
    private static final Pattern FIRST_STEP = Pattern.compile("#> (.+)\n +- alert: (\\w+)");
    private static final Map<String, String> KAFKA_DEFAULTS = Map.of(
            "bootstrap-servers", KafkaAccess.at("localhost:9092").bootstrapServers(),
            "replication-factor", Short.toString(KafkaAccess.BROKERS_DEFAULT));

    private GeneratedTables() {}

    /** Checks the first table of a section; writes it before when that is wanted. */
    static void check(String file, String section, List<String> table) throws IOException {
        Path path = PAGES.resolve(file);
        String text = Files.readString(path);
        int from = text.indexOf("\n| ", text.indexOf("\n## " + section + "\n")) + 1;
        int to = text.indexOf("\n\n", from);
        to = to < 0 ? text.length() - 1 : to;
        String expected = String.join("\n", table);
        if ("write".equals(System.getProperty("observatory.pages"))) {
            Files.writeString(path, text.substring(0, from) + expected + text.substring(to));
        } else {
            assertEquals(expected, text.substring(from, to), file + ": write it with -Dobservatory.pages=write");
        }
    }

    /** Every setting with its default and the text of its {@code @param}. */
    static List<String> settings() throws IOException {
        var table = new ArrayList<>(List.of("| setting | default | meaning |", "|---|---|---|"));
        settings(table, KafkaAccess.PREFIX, "runtime", KafkaAccess.class);
        table.add("| `observatory.management.port` | `8081` | health and metrics |");
        settings(table, "observatory.ingest", "ingest", IngestSettings.class);
        settings(table, "observatory.streams", "streams", StreamsSettings.class);
        settings(table, "observatory.gateway", "gateway", GatewaySettings.class);
        settings(table, "observatory.gateway.port", "gateway", GatewaySettings.Port.class);
        settings(table, "observatory.gateway.traffic", "gateway", GatewaySettings.Traffic.class);
        return table;
    }

    private static void settings(List<String> table, String prefix, String module, Class<?> settings)
            throws IOException {
        Path source = Checkout.ROOT
                .resolve(module + "/src/main/java")
                .resolve(settings.getName().replaceAll("\\$.*", "").replace('.', '/') + ".java");
        Map<String, String> meanings = parameters(source, settings.getSimpleName());
        for (RecordComponent component : settings.getRecordComponents()) {
            String key = NameUtils.hyphenate(component.getName());
            var bindable = component.getAccessor().getAnnotation(Bindable.class);
            String standard = bindable == null ? KAFKA_DEFAULTS.getOrDefault(key, "") : bindable.defaultValue();
            String shown = standard.isEmpty() ? "–" : '`' + standard + '`';
            String meaning = Objects.requireNonNull(meanings.get(component.getName()), prefix + '.' + key);
            table.add("| `" + prefix + '.' + key + "` | " + shown + " | " + meaning + " |");
        }
    }

    /** The texts of the {@code @param} tags above a record. */
    private static Map<String, String> parameters(Path source, String settings) throws IOException {
        String text = Files.readString(source);
        String head = text.substring(0, text.indexOf("public record " + settings + '('));
        String javadoc = head.substring(head.lastIndexOf("/**"), head.lastIndexOf("*/"));
        return Arrays.stream(javadoc.replaceAll("\n *\\* *", " ").split("@param "))
                .skip(1)
                .map(parameter -> parameter.split(" ", 2))
                .collect(Collectors.toMap(
                        parameter -> parameter[0],
                        parameter -> parameter[1].strip().replaceAll("\\{@code ([^}]+)}", "`$1`")));
    }

    /** Every alert with its severity and, from the line above it in {@code rules.yaml}, what to do first. */
    static List<String> alerts() throws IOException {
        String text = Files.readString(Checkout.ROOT.resolve("deploy/prometheus/rules.yaml"));
        List<MatchResult> steps = FIRST_STEP.matcher(text).results().toList();
        var table = new ArrayList<>(List.of("| alert | first look, and what to do |", "|---|---|"));
        Object rules = new Yaml().load(text);
        for (Object group : Values.list(Values.at(rules, "groups"))) {
            for (Object rule : Values.list(Values.at(group, "rules"))) {
                Object alert = Values.at(rule, "alert");
                if (alert == null) {
                    continue;
                }
                String step = steps.stream()
                        .filter(found -> found.group(2).equals(alert))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("rules.yaml has no line #> above " + alert))
                        .group(1);
                boolean page = "page".equals(Values.at(rule, "labels.severity"));
                table.add("| `" + alert + '`' + (page ? " (page)" : "") + " | " + step + " |");
            }
        }
        return table;
    }

    /**
     * Every line that a service logs, with the services that log it. The meanings are those of the page; a new line
     * has {@code ?}.
     */
    static List<String> logLines(Page page) throws IOException {
        Map<String, Set<String>> texts = Classes.textsByModule();
        var missing = new TreeSet<String>();
        for (String message : Classes.logged()) {
            missing.add(filled(message));
        }
        var table = new ArrayList<>(List.of("| line | from | meaning, and what to do |", "|---|---|---|"));
        for (List<String> row : page.rows("Log lines")) {
            List<String> lines = Page.code(row.getFirst())
                    .filter(line -> !services(line, texts).isEmpty())
                    .toList();
            if (lines.isEmpty() || row.size() < 4) {
                continue;
            }
            missing.removeIf(message -> lines.stream().anyMatch(message::startsWith));
            add(table, lines, texts, row.get(2));
        }
        missing.forEach(message -> add(table, List.of(message), texts, "?"));
        return table;
    }

    private static void add(List<String> table, List<String> lines, Map<String, Set<String>> texts, String meaning) {
        var from = new TreeSet<String>();
        lines.forEach(line -> from.addAll(services(line, texts)));
        table.add("| `" + String.join("`, `", lines) + "` | "
                + (from.contains("runtime") || from.contains("topics") ? "all" : String.join(", ", from)) + " | "
                + meaning + " |");
    }

    private static Set<String> services(String line, Map<String, Set<String>> texts) {
        var services = new TreeSet<String>();
        texts.forEach((module, all) -> {
            if (all.stream().map(GeneratedTables::filled).anyMatch(text -> text.startsWith(line))) {
                services.add(module);
            }
        });
        return services;
    }

    private static String filled(String message) {
        return message.replace("{}", "…");
    }
}
