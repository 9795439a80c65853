package io.fundingobservatory.ingest.reading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers that are at hand for one reading: the fresh ones of this poll and the last good ones of slower requests. */
public final class Answers {
    /**
     * One answered request.
     *
     * @param key the key of an expansion, empty for a plain request
     * @param body what was answered
     * @param readAtMs when, epoch ms UTC
     */
    public record Answer(String key, Node body, long readAtMs) {}

    private final Map<String, List<Answer>> byRequest = new LinkedHashMap<>();

    /** Adds an answer under its request's declared name (with {@code {}}, when it is an expansion). */
    public Answers add(String request, Answer answer) {
        byRequest.computeIfAbsent(request, name -> new ArrayList<>()).add(answer);
        return this;
    }

    /** Every answer to a request: the pages of a paged one, one for each key of an expansion; none when it was not answered. */
    public List<Answer> all(String request) {
        return List.copyOf(byRequest.getOrDefault(request, List.of()));
    }

    /** The bodies of {@link #all}. */
    public List<Node> bodies(String request) {
        return all(request).stream().map(Answer::body).toList();
    }

    /** The one answer to a plain request. */
    public Optional<Node> body(String request) {
        return bodies(request).stream().findFirst();
    }

    public boolean answered(String request) {
        return byRequest.containsKey(request);
    }

    /** The rows of a request over all its pages: the list that {@code path} leads to in each body. An empty path: the body itself. */
    public List<Node> rows(String request, String... path) {
        var rows = new ArrayList<Node>();
        for (Node body : bodies(request)) {
            Node list = body;
            for (String name : path) {
                list = list.at(name);
            }
            rows.addAll(list.elements());
        }
        return rows;
    }

    /** {@link #rows}, where the exchange puts no list around a single row. */
    public List<Node> rowsOrRow(String request, String... path) {
        var rows = new ArrayList<>(rows(request, path));
        for (Node body : bodies(request)) {
            Node row = body;
            for (String name : path) {
                row = row.at(name);
            }
            if (row.isObject()) {
                rows.add(row);
            }
        }
        return rows;
    }

    /** {@link #rows} by one of their fields; the first wins. */
    public Map<String, Node> rowsBy(String field, String request, String... path) {
        return Node.by(rows(request, path), field);
    }
}
