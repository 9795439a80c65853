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
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Recorded bodies in a folder, {@code DIR/<venue>/<request>.json}, as though they had just come. A missing file is a
 * request without a response. A further recording, {@code <request>.recorded-<when>.json}, counts after it. A recording
 * of an expansion counts whether or not the recorded lists name its key.
 */
public final class RecordedResponses implements ResponseSource {
    private static final String FURTHER = ".recorded-";

    private final Venue venue;
    private final Path folder;
    private final Time time;
    private final Backoffs pauses;

    public RecordedResponses(Venue venue, Path directory, Time time) {
        this.venue = venue;
        this.folder = directory.resolve(venue.spec().id());
        this.time = time;
        this.pauses = new Backoffs(venue.spec(), time);
    }

    @Override
    public Backoffs backoffs() {
        return pauses;
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
        VenueSpec spec = venue.spec();
        for (Request request : spec.requests()) {
            List<String> keys =
                    request.keys() == null ? List.of("") : request.keys().apply(responses);
            add(venue, request.name(), files(request.name(), keys, spec, folder), readAtMs, responses, problems);
        }
        // settled rates show an interval where no other response has one
        List<History> histories = spec.history() == null ? List.of() : spec.history();
        for (History history : histories) {
            if (!responses.hasResponse(history.name())) {
                var files = files(history.name(), List.of(), spec, folder);
                add(venue, history.name(), files, readAtMs, responses, new HashMap<>());
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

    /** The files with responses to a request, each with its key; those of the known keys come first. */
    private static Map<Path, String> files(String request, List<String> keys, VenueSpec spec, Path folder)
            throws IOException {
        int place = request.indexOf("{}");
        String prefix = place < 0 ? request : request.substring(0, place);
        String suffix = (place < 0 ? "" : request.substring(place + 2)) + ".json";
        var files = new LinkedHashMap<Path, String>();
        for (String key : place < 0 ? keys.stream().limit(1).toList() : keys) {
            String name = prefix + (place < 0 ? "" : key) + suffix;
            Path file = folder.resolve(name);
            if (!name.contains("/") && Files.isRegularFile(file)) {
                files.put(file, key);
            }
        }
        try (var list = Files.list(folder)) {
            for (Path file : list.sorted().toList()) {
                String name = file.getFileName().toString();
                if (place < 0 && name.startsWith(prefix + FURTHER)) {
                    files.put(file, name); // a key of its own: it is no page of the other
                } else if (place >= 0 && carries(name, prefix, suffix) && !carriesLonger(name, prefix, spec)) {
                    files.putIfAbsent(file, name.substring(prefix.length(), name.length() - suffix.length()));
                }
            }
        }
        return files;
    }

    /** Whether a file is a further recording, or carries the longer name of another request or of a history. */
    private static boolean carriesLonger(String name, String prefix, VenueSpec spec) {
        List<History> histories = spec.history() == null ? List.of() : spec.history();
        return name.contains(FURTHER)
                || Stream.concat(
                                spec.requests().stream().map(Request::name),
                                histories.stream().map(History::name))
                        .map(other -> other.replaceFirst("\\{}.*", ""))
                        .anyMatch(other -> other.length() > prefix.length() && name.startsWith(other));
    }

    private static boolean carries(String name, String prefix, String suffix) {
        return name.length() > prefix.length() + suffix.length() && name.startsWith(prefix) && name.endsWith(suffix);
    }
}
