package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.gateway.core.snapshot.Units;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The changelog for programs: each release with its changes, the newest release first. */
public final class Changelog {
    private static final String RELEASE = "## ";
    private static final String CHANGE = "- ";

    private Changelog() {}

    /**
     * Returns the envelope and {@code "releases":[{"release":…,"changes":[…]},…]}, UTF-8. A change is Markdown in one line.
     *
     * @param generatedAtMs epoch ms UTC
     * @param markdown a heading of the second level for each release, and a list below it, UTF-8
     */
    public static byte[] json(byte[] markdown, long generatedAtMs) {
        Map<String, List<String>> releases = new LinkedHashMap<>();
        List<String> changes = new ArrayList<>();
        for (String line : new String(markdown, StandardCharsets.UTF_8).lines().toList()) {
            if (line.startsWith(RELEASE)) {
                changes = new ArrayList<>();
                releases.put(line.substring(RELEASE.length()).strip(), changes);
            } else if (line.startsWith(CHANGE)) {
                changes.add(line.substring(CHANGE.length()).strip());
            } else if (!line.isBlank() && !changes.isEmpty()) {
                changes.add(changes.removeLast() + ' ' + line.strip());
            }
        }
        return Json.bytes(json -> {
            Envelope.ofFiles(generatedAtMs, Units.ENVELOPE).open(json);
            Json.objects(json, "releases", releases.entrySet(), release -> {
                json.writeStringField("release", release.getKey());
                Json.texts(json, "changes", release.getValue());
            });
            json.writeEndObject();
        });
    }
}
