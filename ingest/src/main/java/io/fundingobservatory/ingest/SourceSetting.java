package io.fundingobservatory.ingest;

import io.fundingobservatory.topics.records.Source;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is observed: {@code live}, {@code simulated:<base address>} or {@code replay:<folder>}. */
public sealed interface SourceSetting {
    record Live() implements SourceSetting {}

    record Simulated(String base) implements SourceSetting {}

    /** Recorded bodies, {@code DIR/<venue>/<request>.json}. */
    record Replay(Path folder) implements SourceSetting {}

    /** Reads the word of the configuration; an {@link IllegalArgumentException} has the permitted words in one line. */
    static SourceSetting parse(String word) {
        if (word.equals("live")) {
            return new Live();
        }
        if (word.startsWith("simulated:http")) {
            return new Simulated(word.substring("simulated:".length()));
        }
        if (word.startsWith("replay:")) {
            Path folder = Path.of(word.substring("replay:".length()));
            if (Files.isDirectory(folder)) {
                return new Replay(folder);
            }
            throw new IllegalArgumentException("observatory.ingest.exchanges: no such folder: " + folder);
        }
        throw new IllegalArgumentException(
                "observatory.ingest.exchanges is live, simulated:http://HOST:PORT or replay:DIR");
    }

    default Source source() {
        return switch (this) {
            case Live() -> Source.LIVE;
            case Simulated(String base) -> Source.SIMULATED;
            case Replay(Path folder) -> Source.REPLAY;
        };
    }
}
