package io.fundingobservatory.ingest.reading;

import io.fundingobservatory.ingest.reading.Answers.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recorded answers in a folder, one file for each request under the name that the venue declares for it. A file that is not
 * there is a request that was not answered.
 */
public final class Recorded {
    private Recorded() {}

    /**
     * The answers of a folder.
     *
     * @param readAtMs the instant at which they count as read
     * @param problems receives one line for each file that is there and is no answer: request name to what is wrong
     */
    public static Answers answers(Venue venue, Path folder, long readAtMs, Map<String, String> problems)
            throws IOException {
        var answers = new Answers();
        for (Request request : venue.header().requests()) {
            List<String> keys =
                    request.keys() == null ? List.of("") : request.keys().apply(answers);
            for (String key : keys) {
                String name = request.name().replace("{}", key);
                Path file = folder.resolve(name + ".json");
                if (name.contains("/") || !Files.isRegularFile(file)) {
                    continue;
                }
                try {
                    Node body = Node.parse(Files.readAllBytes(file));
                    Refusal refusal = venue.refusal(body);
                    if (refusal == null) {
                        answers.add(request.name(), new Answer(key, body, readAtMs));
                    } else {
                        problems.put(name, refusal.reason());
                    }
                } catch (com.fasterxml.jackson.core.JacksonException e) {
                    problems.put(name, Node.problem(e));
                }
                if (!request.name().contains("{}")) {
                    break;
                }
            }
        }
        return answers;
    }

    /** The recorded settled history of a folder: each file that carries a declared history's name, with its contract's key. */
    public static Map<Path, String> histories(Header header, Path folder) throws IOException {
        var files = new TreeMap<Path, String>();
        if (header.history() == null) {
            return files;
        }
        for (History history : header.history()) {
            int place = history.name().indexOf("{}");
            String prefix = place < 0 ? history.name() : history.name().substring(0, place);
            String suffix = (place < 0 ? "" : history.name().substring(place + 2)) + ".json";
            try (var list = Files.list(folder)) {
                for (Path file : list.sorted().toList()) {
                    String name = file.getFileName().toString();
                    boolean matches = place < 0
                            ? name.equals(prefix + suffix)
                            : name.length() > prefix.length() + suffix.length()
                                    && name.startsWith(prefix)
                                    && name.endsWith(suffix);
                    if (matches) {
                        files.put(
                                file,
                                place < 0 ? "" : name.substring(prefix.length(), name.length() - suffix.length()));
                    }
                }
            }
        }
        return files;
    }
}
