package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.coding.Json;
import io.fundingobservatory.gateway.core.snapshot.Envelope;
import io.fundingobservatory.topics.Release;
import io.fundingobservatory.topics.Topic;
import io.fundingobservatory.topics.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files that are served: a fixed map from address to bytes, with a digest of each. A path never reaches a file system. */
public final class Files {
    /** The links to the interface and its descriptions (RFC 9727). */
    public static final String API_CATALOG = "/.well-known/api-catalog";

    /** What changed from release to release, for programs. */
    public static final String CHANGES = "/changes.json";

    /** Where faults are reported (RFC 9116). */
    public static final String SECURITY = "/.well-known/security.txt";

    public static final String LLMS = "/llms.txt";

    public static final String SKILL = "/skills/funding-rates/SKILL.md";

    public static final String OPENAPI = "/openapi.yaml";

    public static final String ASYNCAPI = "/asyncapi.yaml";

    static final String MANIFEST = "/manifest.json";
    static final String AGENT_SKILLS = "/.well-known/agent-skills/index.json";

    public static final String PAGE = "/";

    /** Prefix of the other files that the page needs. It has no digest: a page of one release finds its parts at a gateway of the next. */
    public static final String PAGE_PARTS = "/page/";

    /** All that the page loads: its script and its stylesheet, which the build bundles from src/main/page, and its icon. */
    private static final List<String> PAGE_FILES = List.of("page.js", "page.css", "icon.svg");

    /** The page runs its own scripts, in its own style, and reads its own origin: nothing else, and nothing frames it. */
    private static final String PAGE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                    + "require-trusted-types-for 'script'; trusted-types 'none'";

    /** The page and its parts are revalidated each time: after an update a browser has all of them of one release. */
    private static final int PAGE_MAX_AGE_S = 0;

    /** Files change with a release, and a release takes a new process. */
    private static final int MAX_AGE_S = 300;

    private final Map<String, Content> byPath = new TreeMap<>();

    /**
     * The files given, and the index of agent skills where there is a skill.
     *
     * @param contents bytes by address: the page, the skill, the descriptions and the schemas
     */
    public Files(Map<String, byte[]> contents) {
        var all = new TreeMap<>(contents);
        byte[] skill = contents.get(SKILL);
        if (skill != null) {
            all.put(AGENT_SKILLS, agentSkills(skill));
        }
        all.forEach((path, bytes) -> byPath.put(path, Content.of(type(path), bytes)));
    }

    /**
     * Reads all files from the class path. The list is fixed when the process starts: no request names a resource.
     *
     * @param securityContact a {@code mailto:} or {@code https:} URI for reports of faults; empty: {@link #SECURITY} is not served
     */
    public static Files load(String securityContact, Instant now) {
        var files = new HashMap<String, byte[]>();
        if (!securityContact.isEmpty()) {
            files.put(SECURITY, security(securityContact, now));
        }
        // All gateways that start on one day serve the same bytes.
        long dayMs = now.truncatedTo(ChronoUnit.DAYS).toEpochMilli();
        files.put(CHANGES, changes(resource("/served/CHANGELOG.md"), dayMs));
        files.put(
                LLMS,
                text(resource("/served/llms.txt"))
                        .replace("{release}", Release.NAME)
                        .getBytes(StandardCharsets.UTF_8));
        files.put(SKILL, resource(SKILL));
        files.put(PAGE, resource("/served/page/index.html"));
        files.put(API_CATALOG, resource("/served/api-catalog.json"));
        PAGE_FILES.forEach(part -> files.put(PAGE_PARTS + part, resource("/served/page/" + part)));
        List.of(OPENAPI, ASYNCAPI, "/robots.txt").forEach(path -> files.put(path, resource("/served" + path)));
        for (Topic<?> topic : Topics.typed()) {
            files.put(topic.codec().schemaResource(), topic.codec().schemaDocument());
        }
        return new Files(files);
    }

    /** The bytes of a resource that the build has put on the class path. */
    static byte[] resource(String name) {
        try (InputStream in = Files.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, () -> name + " is not on the class path")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Returns the content of {@link #SECURITY}. It expires in less than a year, as the RFC recommends. Each
     * start of a process renews it. All gateways that start on one day serve the same bytes.
     *
     * @param contact a {@code mailto:} or {@code https:} URI
     */
    private static byte[] security(String contact, Instant now) {
        Instant expires = now.truncatedTo(ChronoUnit.DAYS).plus(364, ChronoUnit.DAYS);
        return ("Contact: " + contact + "\nExpires: " + expires + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the content of {@link #CHANGES}: each release with its changes, the newest first. A change is Markdown in one line.
     *
     * @param changelog a heading of the second level for each release, and a list below it, UTF-8
     * @param generatedAtMs epoch ms UTC
     */
    static byte[] changes(byte[] changelog, long generatedAtMs) {
        Map<String, List<String>> releases = new LinkedHashMap<>();
        List<String> changes = new ArrayList<>();
        for (String line : text(changelog).lines().toList()) {
            if (line.startsWith("## ")) {
                changes = new ArrayList<>();
                releases.put(line.substring(3).strip(), changes);
            } else if (line.startsWith("- ")) {
                changes.add(line.substring(2).strip());
            } else if (!line.isBlank() && !changes.isEmpty()) {
                changes.add(changes.removeLast() + ' ' + line.strip());
            }
        }
        return Json.bytes(json -> {
            json.writeStartObject();
            Envelope.ofFiles(generatedAtMs, Map.of()).members(json);
            Json.objects(json, "releases", releases.entrySet(), release -> {
                json.writeStringField("release", release.getKey());
                Json.texts(json, "changes", release.getValue());
            });
            json.writeEndObject();
        });
    }

    private static String type(String path) {
        if (path.equals(API_CATALOG)) {
            return "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
        }
        if (path.startsWith("/schemas/")) {
            return "application/schema+json";
        }
        if (path.equals(PAGE)) {
            return "text/html; charset=utf-8";
        }
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "json" -> Content.JSON;
            case "md" -> "text/markdown; charset=utf-8";
            case "yaml" -> "application/yaml";
            default -> "text/plain; charset=utf-8";
        };
    }

    @Nullable
    Content get(String path) {
        return byPath.get(path);
    }

    /** Whether it is a path of what the page loads, also of another release. */
    public static boolean isPagePart(String path) {
        return path.startsWith(PAGE_PARTS);
    }

    /** Whether it is the page or a part of it that is here. */
    boolean isPage(String path) {
        return (path.equals(PAGE) || isPagePart(path)) && byPath.containsKey(path);
    }

    /** What a file may load and run; null where the policy of everything else holds. */
    @Nullable
    String policy(String path) {
        return path.equals(PAGE) ? PAGE_POLICY : null;
    }

    /** How long a cache may show a file without revalidation, and while no gateway responds. A file has no row that grows old. */
    String cacheControl(String path) {
        return "public, max-age=" + (isPage(path) ? PAGE_MAX_AGE_S : MAX_AGE_S) + ", stale-if-error=600";
    }

    /** Lists every file with its size and digest; {@code generatedAtMs} is epoch ms UTC. */
    Content manifest(long generatedAtMs) {
        return Content.of(Content.JSON, Json.bytes(json -> {
            json.writeStartObject();
            Envelope.ofFiles(generatedAtMs, Map.of("bytes", "bytes of the identity representation"))
                    .members(json);
            Json.objects(json, "files", byPath.entrySet(), file -> {
                byte[] bytes = file.getValue().identity().getFirst().joined();
                json.writeStringField("path", file.getKey());
                json.writeNumberField("bytes", bytes.length);
                json.writeStringField("sha256", HexFormat.of().formatHex(Content.sha256(List.of(bytes))));
                json.writeStringField("content_type", file.getValue().type());
            });
            json.writeEndObject();
        }));
    }

    /** The index of agent skills: name and description as the skill itself states them, and the digest of its bytes. */
    private static byte[] agentSkills(byte[] skill) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
            json.writeArrayFieldStart("skills");
            json.writeStartObject();
            json.writeStringField("name", stated(skill, "name"));
            json.writeStringField("type", "skill-md");
            json.writeStringField("description", stated(skill, "description"));
            json.writeStringField("url", SKILL);
            json.writeStringField("digest", "sha256:" + HexFormat.of().formatHex(Content.sha256(List.of(skill))));
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static String stated(byte[] skill, String field) {
        return text(skill)
                .lines()
                .filter(line -> line.startsWith(field + ": "))
                .map(line -> line.substring(field.length() + 2).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the skill states no " + field));
    }
}
