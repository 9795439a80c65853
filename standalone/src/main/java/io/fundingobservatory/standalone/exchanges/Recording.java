package io.fundingobservatory.standalone.exchanges;

import io.fundingobservatory.ingest.client.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes bodies as {@code DIR/<venue>/<request>.json}, where {@code observatory read} and {@code replay:DIR} find them. A further
 * page of the same request is {@code <request>.recorded-<n>.json}.
 */
public final class Recording {
    private static final String FURTHER = ".recorded-";

    private final Path directory;
    private final Set<Path> written = ConcurrentHashMap.newKeySet();

    /** A recording into a directory, which is made when the first response comes. */
    public Recording(Path directory) {
        this.directory = directory;
    }

    void write(String venue, String request, HttpExchange exchange) {
        if (request.contains("/") || request.startsWith(".")) {
            return; // a key that is no file name
        }
        try {
            Path folder = Files.createDirectories(directory.resolve(venue));
            Path file = folder.resolve(request + ".json");
            for (int page = 2; !written.add(file); page++) {
                file = folder.resolve(request + FURTHER + page + ".json");
            }
            try (InputStream body = exchange.unpacked()) {
                Files.write(file, body.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write below " + directory, e);
        }
    }

    /** How many files were written. */
    public int files() {
        return written.size();
    }
}
