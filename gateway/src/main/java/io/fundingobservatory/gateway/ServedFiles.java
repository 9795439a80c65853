package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.topics.Release;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers from the class path the files that are served. The list is fixed when the process starts: no request names a resource. */
final class ServedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ServedFiles.class);

    /** All that the page loads: its script and its stylesheet, which the build bundles from src/main/page, and its icon. */
    private static final List<String> PAGE_PARTS = List.of("page.js", "page.css", "icon.svg");

    private ServedFiles() {}

    /**
     * Returns all files.
     *
     * @param securityContact a URI for reports of faults; empty: {@link Files#SECURITY} is not served
     */
    static Files load(String securityContact, Instant now) {
        var files = new HashMap<String, byte[]>();
        if (!securityContact.isEmpty()) {
            files.put(Files.SECURITY, Files.security(securityContact, now));
        }
        // All gateways that start on one day serve the same bytes.
        long dayMs = now.truncatedTo(ChronoUnit.DAYS).toEpochMilli();
        add(files, Files.CHANGES, "/served/CHANGELOG.md", markdown -> Files.changes(markdown, dayMs));
        add(files, Files.LLMS, "/served/llms.txt", ServedFiles::withRelease);
        add(files, Files.SKILL, Files.SKILL);
        add(files, Files.PAGE, "/served/page/index.html");
        add(files, Files.API_CATALOG, "/served/api-catalog.json");
        PAGE_PARTS.forEach(part -> add(files, Files.PAGE_PARTS + part, "/served/page/" + part));
        List.of(Files.OPENAPI, Files.ASYNCAPI, "/robots.txt").forEach(path -> add(files, path, "/served" + path));
        for (Topic<?> topic : Topics.typed()) {
            files.put(topic.codec().schemaResource(), topic.codec().schemaDocument());
        }
        return new Files(files);
    }

    private static byte[] withRelease(byte[] text) {
        return new String(text, StandardCharsets.UTF_8)
                .replace("{release}", Release.NAME)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void add(Map<String, byte[]> files, String path, String resource) {
        add(files, path, resource, UnaryOperator.identity());
    }

    private static void add(Map<String, byte[]> files, String path, String resource, UnaryOperator<byte[]> served) {
        try (InputStream in = ServedFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                LOG.warn("a file to be served is not on the class path path={}", path);
            } else {
                files.put(path, served.apply(in.readAllBytes()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
