package io.fundingobservatory.gateway.core;

import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files that are served: a fixed map from address to bytes, with a digest of each. A path never reaches a file system. */
public final class Files {
    public static final String API_CATALOG = "/.well-known/api-catalog";
    static final String AGENT_SKILLS = "/.well-known/agent-skills/index.json";

    private final SortedMap<String, Content> byPath = new TreeMap<>();

    /**
     * The files given, and those that describe them.
     *
     * @param contents bytes by address: the skill and the schemas
     */
    public Files(Map<String, byte[]> contents) {
        contents.forEach(this::add);
        byte[] skill = contents.get(SelfDescription.SKILL);
        if (skill != null) {
            add(AGENT_SKILLS, SelfDescription.agentSkills(skill));
        }
        add(API_CATALOG, SelfDescription.apiCatalog());
        add("/llms.txt", SelfDescription.llms());
        add("/robots.txt", SelfDescription.robots());
    }

    private void add(String path, byte[] bytes) {
        byPath.put(path, Content.of(type(path), bytes));
    }

    private static String type(String path) {
        if (path.equals(API_CATALOG)) {
            return "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
        }
        if (path.startsWith("/schemas/")) {
            return "application/schema+json";
        }
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
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

    Set<String> paths() {
        return byPath.keySet();
    }

    Content manifest(Envelope envelope) {
        return Content.of(Content.JSON, Json.bytes(json -> {
            envelope.open(json);
            json.writeArrayFieldStart("files");
            for (var file : byPath.entrySet()) {
                byte[] bytes = file.getValue().identity().getFirst();
                json.writeStartObject();
                json.writeStringField("path", file.getKey());
                json.writeNumberField("bytes", bytes.length);
                json.writeStringField("sha256", HexFormat.of().formatHex(Content.sha256(bytes)));
                json.writeStringField("content_type", file.getValue().type());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
