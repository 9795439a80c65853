package io.fundingobservatory.ingest.client;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Recorded bodies in a folder, one file for each request under its declared name. A missing file is a request without a
 * response. A further recording, {@code <request>.recorded-<when>.json}, counts after it. A recording of an expansion
 * counts whether or not the recorded lists name its key.
 */
public final class RecordedBodies {
    private static final String FURTHER = ".recorded-";

    private RecordedBodies() {}

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
