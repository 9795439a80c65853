package io.fundingobservatory.ingest.poll;

import io.fundingobservatory.ingest.client.Backoffs;
import io.fundingobservatory.ingest.client.Time;
import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.poll.ResponseSource.PollResponses;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.Request;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recorded bodies in a folder, {@code DIR/<venue>/<request>.json}, as though they had just come. A missing file is a
 * request without a response. A further recording, {@code <request>.recorded-<when>.json}, counts after it. A recording
 * of an expansion counts whether or not the recorded lists name its key.
 */
public final class RecordedResponses implements ResponseSource {
    private static final String FURTHER = ".recorded-";
    private static final String JSON = ".json";

    private final Venue venue;
    private final Path folder;
    private final Time time;
    private final Backoffs backoffs;

    public RecordedResponses(Venue venue, Path directory, Time time) {
        this.venue = venue;
        this.folder = directory.resolve(venue.spec().id());
        this.time = time;
        this.backoffs = new Backoffs(venue.spec(), time);
    }

    @Override
    public Backoffs backoffs() {
        return backoffs;
    }

    @Override
    public PollResponses poll(Duration forKeys) {
        if (!Files.isDirectory(folder)) {
            return new PollResponses(new VenueResponses(), false, null, 1, List.of("nothing is recorded of it"));
        }
        long now = time.nowMs();
        var problems = new TreeMap<String, String>();
        VenueResponses responses;
        try {
            responses = responses(venue, folder, now, problems);
        } catch (IOException e) {
            return new PollResponses(new VenueResponses(), false, null, 1, List.of("its recording cannot be read"));
        }
        var missing = new ArrayList<String>();
        problems.forEach((name, problem) -> missing.add(name + ": " + problem));
        List<Request> requests = venue.spec().requests();
        requests.stream()
                .filter(request -> request.isFrequent() && !responses.hasResponse(request.name()))
                .forEach(request -> missing.add(request.name() + ": not recorded"));
        boolean hasRates = requests.stream().anyMatch(r -> r.isFrequent() && responses.hasResponse(r.name()));
        return new PollResponses(responses, hasRates, hasRates ? now : null, requests.size(), missing);
    }

    /**
     * Returns the responses of a folder, as read at an instant. {@code problems} receives what is wrong with each file
     * that cannot be used, by request name.
     */
    public static VenueResponses responses(Venue venue, Path folder, long readAtMs, Map<String, String> problems)
            throws IOException {
        var responses = new VenueResponses();
        List<String> requests =
                venue.spec().requests().stream().map(Request::name).toList();
        List<History> declared = Objects.requireNonNullElse(venue.spec().history(), List.of());
        List<String> histories = declared.stream().map(History::name).toList();
        var files = files(
                Stream.concat(requests.stream(), histories.stream()).distinct().toList(), folder);
        for (String request : requests) {
            add(venue, request, files.getOrDefault(request, Map.of()), readAtMs, responses, problems);
        }
        // settled rates show an interval where no other response has one
        for (String history : histories) {
            if (!responses.hasResponse(history)) {
                add(venue, history, files.getOrDefault(history, Map.of()), readAtMs, responses, new HashMap<>());
            }
        }
        return responses;
    }

    private static void add(
            Venue venue,
            String name,
            Map<Path, String> files,
            long readAtMs,
            VenueResponses responses,
            Map<String, String> problems)
            throws IOException {
        for (var recorded : files.entrySet()) {
            Path file = recorded.getKey();
            String of = file.getFileName().toString().replaceFirst("\\.json$", "");
            try {
                JsonValue body = JsonValue.parse(Files.readAllBytes(file));
                VenueError error = venue.error(body);
                if (error == null) {
                    responses.add(name, new Response(recorded.getValue(), body, readAtMs));
                } else {
                    problems.put(of, error.reason());
                }
            } catch (com.fasterxml.jackson.core.JacksonException e) {
                problems.put(of, JsonValue.problem(e));
            } catch (Skip e) {
                problems.put(of, e.reason().toString());
            }
        }
    }

    /** The recordings by the name of their request, each with its key. The request whose name fits longest has the file. */
    private static Map<String, Map<Path, String>> files(List<String> requests, Path folder) throws IOException {
        var byRequest = new HashMap<String, Map<Path, String>>();
        try (var list = Files.list(folder)) {
            for (Path file : list.sorted().toList()) {
                String name = file.getFileName().toString();
                requests.stream()
                        .filter(request -> key(request, name) != null)
                        .max(Comparator.comparingInt(
                                request -> request.replaceFirst("\\{}.*", "").length()))
                        .ifPresent(request -> byRequest
                                .computeIfAbsent(request, r -> new LinkedHashMap<>())
                                .put(file, Objects.requireNonNull(key(request, name))));
            }
        }
        return byRequest;
    }

    /** The key in the name of a request's recording, empty for a plain request; null when the file is not one of it. */
    private static @Nullable String key(String request, String file) {
        int place = request.indexOf("{}");
        if (place < 0) {
            // a further recording has a key of its own: it is no page of the other
            return file.equals(request + JSON) ? "" : file.startsWith(request + FURTHER) ? file : null;
        }
        String prefix = request.substring(0, place);
        String suffix = request.substring(place + 2) + JSON;
        boolean carries = file.length() > prefix.length() + suffix.length()
                && file.startsWith(prefix)
                && file.endsWith(suffix)
                && !file.contains(FURTHER);
        return carries ? file.substring(prefix.length(), file.length() - suffix.length()) : null;
    }
}
