package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The responses available to one observation: the fresh ones of this poll, and the last good ones of less
 * frequent requests.
 */
public final class VenueResponses {
    /** One response; the key of an expansion, empty for a plain request, and when it was read, epoch ms UTC. */
    public record Response(String key, JsonValue body, long readAtMs) {}

    private final Map<String, List<Response>> byRequest = new LinkedHashMap<>();

    /** Adds a response under its request's declared name (with {@code {}}, when it is an expansion). */
    public VenueResponses add(String request, Response response) {
        byRequest.computeIfAbsent(request, name -> new ArrayList<>()).add(response);
        return this;
    }

    /** Every response to a request: the pages of a paged one, one for each key of an expansion; empty without a response. */
    public List<Response> all(String request) {
        return List.copyOf(byRequest.getOrDefault(request, List.of()));
    }

    public List<JsonValue> bodies(String request) {
        return all(request).stream().map(Response::body).toList();
    }

    public Optional<JsonValue> body(String request) {
        return bodies(request).stream().findFirst();
    }

    public boolean hasResponse(String request) {
        return byRequest.containsKey(request);
    }

    /** The rows of a request over all its pages: the list that {@code path} leads to in each body. An empty path: the body itself. */
    public List<JsonValue> rows(String request, String... path) {
        return bodies(request).stream()
                .flatMap(body -> body.at(path).elements().stream())
                .toList();
    }

    /** {@link #rows}, where the exchange puts no list around a single row. */
    public List<JsonValue> rowsOrRow(String request, String... path) {
        var rows = new ArrayList<>(rows(request, path));
        for (JsonValue body : bodies(request)) {
            JsonValue row = body.at(path);
            if (row.isObject()) {
                rows.add(row);
            }
        }
        return rows;
    }

    /**
     * {@link #rows} by one of their fields; two that differ contradict each other. Responses with different keys are no pages of one
     * response: the first one counts.
     */
    public Map<String, JsonValue> rowsBy(String field, String request, String... path) {
        return rowsBy(field, request, body -> body.at(path).elements());
    }

    /** {@link #rowsBy(String, String, String...)}, where the list is at one of several places in the body. */
    public Map<String, JsonValue> rowsBy(String field, String request, Function<JsonValue, List<JsonValue>> list) {
        var index = new LinkedHashMap<String, JsonValue>();
        all(request).stream()
                .collect(Collectors.groupingBy(Response::key, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(pages -> {
                    var rows = new ArrayList<JsonValue>();
                    pages.forEach(page -> rows.addAll(list.apply(page.body())));
                    JsonValue.by(rows, field).forEach(index::putIfAbsent);
                });
        return index;
    }

    /** The body under each key of an expansion; two that differ contradict each other. */
    public Map<String, JsonValue> bodiesByKey(String request) {
        var bodies = new LinkedHashMap<String, JsonValue>();
        all(request).forEach(response -> bodies.merge(response.key(), response.body(), JsonValue::agreed));
        return bodies;
    }
}
