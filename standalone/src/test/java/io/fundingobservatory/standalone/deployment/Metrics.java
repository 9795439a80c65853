package io.fundingobservatory.standalone.deployment;

import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/** Compares the metrics that pages, alerts and dashboard name with those that running services publish. */
public final class Metrics {
    private static final Pattern NAME = Pattern.compile("\\b(observatory|http_server|kafka|process|jvm)_[a-z0-9_]+\\b");
    private static final Pattern SUFFIX = Pattern.compile("_(total|count|sum|max|bucket)$");
    private static final String LATER = "(event)";

    private Metrics() {}

    /**
     * One line for each metric that is named but not published, or published but not explained; empty when all is well.
     *
     * @param scraped the body of each service's {@code /prometheus}, by the service's name
     */
    public static Set<String> problems(Map<String, String> scraped) throws IOException {
        Map<String, Set<String>> published = new TreeMap<>();
        scraped.forEach((service, text) -> published.put(
                service,
                text.lines()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .map(line -> line.split("[{ ]", 2)[0])
                        .collect(Collectors.toCollection(TreeSet::new))));
        Set<String> all = new HashSet<>();
        published.values().forEach(all::addAll);

        Page page = Page.operations();
        var explained = new TreeSet<String>();
        var later = new TreeSet<String>();
        for (List<String> row : page.rows("Metrics")) {
            Page.code(row.get(0)).forEach(name -> {
                explained.add(name);
                if (row.get(1).contains(LATER)) {
                    later.add(name);
                }
            });
        }
        Set<String> texts = Classes.texts();
        var problems = new TreeSet<String>();
        for (String name : explained) {
            if (!all.contains(name) && !(later.contains(name) && texts.contains(meter(name)))) {
                problems.add("docs/operations names " + name + ", which no service publishes");
            }
        }
        Set<String> bases = explained.stream().map(Metrics::base).collect(Collectors.toSet());
        for (String name : all) {
            boolean ours = name.startsWith("observatory_") || name.startsWith("kafka_");
            if (ours && !bases.contains(base(name))) {
                problems.add(name + " is published and not explained");
            }
        }
        for (String name : used()) {
            boolean there = all.contains(name) || later.contains(name);
            if (!there || !bases.contains(base(name))) {
                problems.add("an alert or a panel uses " + name + ", which is not published or not explained");
            }
        }
        published.forEach((service, names) -> {
            for (String other : List.of("ingest", "streams", "gateway")) {
                if (!service.equals(other)) {
                    names.stream()
                            .filter(name -> name.startsWith("observatory_" + other + "_"))
                            .forEach(name -> problems.add(service + " publishes " + name));
                }
            }
        });
        return problems;
    }

    /** The metrics in the expressions of alerts and panels. */
    static Set<String> used() throws IOException {
        var expressions = new StringBuilder();
        collect(
                "expr",
                new Yaml().load(Files.readString(Checkout.ROOT.resolve("deploy/prometheus/rules.yaml"))),
                expressions);
        collect(
                "expr",
                new Yaml()
                        .load(Files.readString(
                                Checkout.ROOT.resolve("deploy/grafana/dashboards/funding-observatory.json"))),
                expressions);
        return NAME.matcher(expressions)
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void collect(String key, Object at, StringBuilder found) {
        switch (at) {
            case Map<?, ?> map ->
                map.forEach((name, value) -> {
                    if (key.equals(name)) {
                        found.append(value).append('\n');
                    } else if (value != null) {
                        collect(key, value, found);
                    }
                });
            case List<?> list -> list.forEach(one -> collect(key, one, found));
            default -> {}
        }
    }

    /** A metric without what Prometheus appends for its parts. */
    private static String base(String name) {
        return SUFFIX.matcher(name).replaceAll("");
    }

    /** The name in the code: {@code observatory.ingest.bugs}. */
    private static String meter(String name) {
        return base(name).replace('_', '.');
    }
}
