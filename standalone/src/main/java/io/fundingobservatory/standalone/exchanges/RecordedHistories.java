package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.VenueSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The recorded settled history of a folder. */
public final class RecordedHistories {
    /** What the name of a documentation's own example begins with. */
    private static final String EXAMPLE = "doc_example_";

    private RecordedHistories() {}

    /** Returns each file that carries a declared history's name, with its contract's key, which is empty where it has none. */
    public static Map<Path, String> of(VenueSpec spec, Path folder) throws IOException {
        var files = new TreeMap<Path, String>();
        for (History history : Objects.requireNonNullElse(spec.history(), List.<History>of())) {
            try (var list = Files.list(folder)) {
                for (Path file : list.toList()) {
                    String key = key(history, name(file));
                    if (key != null) {
                        files.put(file, key);
                    }
                }
            }
        }
        return files;
    }

    /** The name of a file without what marks an example, or the day of one of several recordings ({@code fundings_BTC.2026-09-29.json}). */
    private static String name(Path file) {
        return file.getFileName()
                .toString()
                .replaceFirst("^" + EXAMPLE, "")
                .replaceFirst("\\.\\d{4}-\\d{2}-\\d{2}\\.json$", ".json");
    }

    /** Null when a file does not record that history. */
    private static @Nullable String key(History history, String file) {
        int place = history.name().indexOf("{}");
        String prefix = place < 0 ? history.name() : history.name().substring(0, place);
        String suffix = (place < 0 ? "" : history.name().substring(place + 2)) + ".json";
        if (place >= 0
                && file.length() > prefix.length() + suffix.length()
                && file.startsWith(prefix)
                && file.endsWith(suffix)) {
            return file.substring(prefix.length(), file.length() - suffix.length());
        }
        String without = place < 0 ? prefix : prefix.replaceFirst("_$", "");
        return file.equals(without + suffix) ? "" : null;
    }
}
