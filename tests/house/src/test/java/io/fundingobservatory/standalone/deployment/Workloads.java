package io.fundingobservatory.standalone.deployment;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a rendered chart starts: pods and their containers. */
final class Workloads {
    private static final List<String> KINDS = List.of("Deployment", "StatefulSet", "Job");

    private Workloads() {}

    static List<Map<String, Object>> of(Chart chart) {
        return chart.objects().stream()
                .filter(object -> KINDS.contains(String.valueOf(object.get("kind"))))
                .toList();
    }

    /** Those that run and those that run before them. */
    static List<Object> containers(@Nullable Object pod) {
        return Stream.of("initContainers", "containers")
                .map(kind -> Values.at(pod, kind))
                .filter(containers -> containers != null)
                .<Object>flatMap(containers -> Values.list(containers).stream())
                .toList();
    }
}
