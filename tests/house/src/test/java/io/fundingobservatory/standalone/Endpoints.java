package io.fundingobservatory.standalone;

import io.fundingobservatory.standalone.deployment.Values;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/**
 * The endpoints that {@code openapi.yaml} describes, and those of the management port.
 *
 * @param parameters names of query parameters by path template
 */
record Endpoints(Map<String, Set<String>> parameters) {
    private static final Set<String> MANAGEMENT =
            Set.of("/health", "/health/liveness", "/health/readiness", "/prometheus");

    static Endpoints read(Path root) {
        Object description = yaml(root.resolve("gateway/src/main/resources/served/openapi.yaml"));
        var parameters = new HashMap<String, Set<String>>();
        if (Values.at(description, "paths") instanceof Map<?, ?> paths) {
            paths.forEach((path, endpoint) -> {
                var names = new HashSet<String>();
                if (Values.at(endpoint, "get.parameters") instanceof List<?> list) {
                    list.forEach(one -> names.add(String.valueOf(Values.at(resolved(description, one), "name"))));
                }
                parameters.put(String.valueOf(path), names);
            });
        }
        MANAGEMENT.forEach(path -> parameters.put(path, Set.of()));
        return new Endpoints(parameters);
    }

    /** Returns what is wrong with a path or URL, and its parameters; empty when it is described. */
    Optional<String> problem(String url) {
        String[] target = url.replaceFirst("^https?://[^/]+", "").split("\\?", 2);
        Optional<String> template = parameters.keySet().stream()
                .filter(path -> target[0].matches(path.replaceAll("\\{[^}]+}", "[^/]+")))
                .findFirst();
        if (template.isEmpty()) {
            return Optional.of("no endpoint " + target[0]);
        }
        for (String parameter : target.length == 1 ? new String[0] : target[1].split("&")) {
            if (!parameters
                    .getOrDefault(template.get(), Set.of())
                    .contains(parameter.split("=")[0])) {
                return Optional.of("no parameter " + parameter);
            }
        }
        return Optional.empty();
    }

    /** Whether a YAML file has a value at a path such as {@code image.registry}. */
    static boolean has(Path file, String path) {
        return Values.at(yaml(file), path) != null;
    }

    private static Object yaml(Path file) {
        try {
            return new Yaml().load(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code $ref: '#/components/parameters/venues'} points to, or the object itself. */
    private static @Nullable Object resolved(Object description, Object object) {
        Object reference = Values.at(object, "$ref");
        return reference == null
                ? object
                : Values.at(description, String.valueOf(reference).substring(2).replace('/', '.'));
    }
}
