package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers from the class path the files that are served. The list is fixed here: no request names a resource. */
final class ServedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ServedFiles.class);

    private static final List<String> PAGE_PARTS = List.of(
            "page.css",
            "matrix.css",
            "views.css",
            "icon.svg",
            "asset.js",
            "calculator.js",
            "cells.js",
            "coins.js",
            "columns.js",
            "contracts.js",
            "controls.js",
            "csv.js",
            "decimal.js",
            "delta.js",
            "details.js",
            "dom.js",
            "dots.js",
            "exchanges.js",
            "feed.js",
            "figures.js",
            "grid.js",
            "json.js",
            "main.js",
            "matrix.js",
            "pair-details.js",
            "pairs.js",
            "parser.js",
            "preferences.js",
            "reading.js",
            "route.js",
            "rows.js",
            "scale.js",
            "sheets.js",
            "shell.js",
            "strip.js",
            "timeline.js",
            "units.js",
            "virtual.js",
            "watch.js",
            "words.js",
            "worker.js");

    private ServedFiles() {}

    static Files load() {
        var files = new HashMap<String, byte[]>();
        add(files, "/skills/funding-rates/SKILL.md", "/skills/funding-rates/SKILL.md", ServedFiles.class);
        page(files);
        add(files, "/openapi.yaml", "/served/openapi.yaml", ServedFiles.class);
        add(files, "/asyncapi.yaml", "/served/asyncapi.yaml", ServedFiles.class);
        for (Topic<?> topic : Topics.typed()) {
            String schema = topic.codec().schemaResource();
            add(files, schema, schema, Topic.class);
        }
        return new Files(files);
    }

    /**
     * The page and its parts. The paths of the parts contain a digest of them all, and the page names these
     * paths. A browser therefore never gets parts of two releases, and a cache may keep a part for any time.
     */
    private static void page(Map<String, byte[]> files) {
        var parts = new TreeMap<String, byte[]>();
        for (String part : PAGE_PARTS) {
            add(parts, part, "/served/page/" + part, ServedFiles.class);
        }
        String below = Files.PAGE_PARTS + Files.digest(parts.values()) + '/';
        parts.forEach((name, bytes) -> files.put(below + name, bytes));
        add(files, Files.PAGE, "/served/page/index.html", ServedFiles.class);
        files.computeIfPresent(
                Files.PAGE,
                (path, html) -> new String(html, StandardCharsets.UTF_8)
                        .replace('"' + Files.PAGE_PARTS, '"' + below)
                        .getBytes(StandardCharsets.UTF_8));
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
