package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Files;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers from the class path the files that are served. The list is fixed here: no request names a resource. */
final class ServedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ServedFiles.class);

    private static final List<String> PAGE_PARTS = List.of(
            "page.css",
            "icon.svg",
            "main.js",
            "feed.js",
            "figures.js",
            "table.js",
            "rates.js",
            "pairs.js",
            "missing.js");

    private ServedFiles() {}

    static Files load() {
        var files = new HashMap<String, byte[]>();
        add(files, "/skills/funding-rates/SKILL.md", "/skills/funding-rates/SKILL.md", ServedFiles.class);
        add(files, Files.PAGE, "/served/page/index.html", ServedFiles.class);
        for (String part : PAGE_PARTS) {
            add(files, "/page/" + part, "/served/page/" + part, ServedFiles.class);
        }
        add(files, "/openapi.yaml", "/served/openapi.yaml", ServedFiles.class);
        add(files, "/asyncapi.yaml", "/served/asyncapi.yaml", ServedFiles.class);
        for (Topic<?> topic : Topics.typed()) {
            String schema = topic.codec().schemaResource();
            add(files, schema, schema, Topic.class);
        }
        return new Files(files);
    }

    private static void add(Map<String, byte[]> files, String path, String resource, Class<?> beside) {
        try (InputStream in = beside.getResourceAsStream(resource)) {
            if (in == null) {
                LOG.warn("a file to be served is not on the class path path={}", path);
            } else {
                files.put(path, in.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
