package io.fundingobservatory.gateway.core.site;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.form.Json;
import io.fundingobservatory.topics.Release;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The small files by which crawlers and agents find their way. */
final class SelfDescription {
    static final String SKILL = "/skills/funding-rates/SKILL.md";

    static final String INDEX = "/api/v1";
    static final String LLMS = "/llms.txt";
    static final String OPENAPI = "/openapi.yaml";
    static final String ASYNCAPI = "/asyncapi.yaml";

    private static final String SCHEMAS = "/schemas/";

    private SelfDescription() {}

    private record Link(String href, String type) {}

    /**
     * RFC 9727: a linkset of the interface and everything that describes it.
     *
     * @param paths the files that are served
     */
    static byte[] apiCatalog(Set<String> paths) {
        List<Link> schemas = paths.stream()
                .filter(path -> path.startsWith(SCHEMAS))
                .sorted()
                .map(path -> new Link(path, "application/schema+json"))
                .toList();
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("linkset");
            json.writeStartObject();
            json.writeStringField("anchor", Files.API_CATALOG);
            links(json, "item", List.of(new Link(INDEX, "application/json")));
            json.writeEndObject();
            json.writeStartObject();
            json.writeStringField("anchor", INDEX);
            links(
                    json,
                    "service-desc",
                    List.of(new Link(OPENAPI, "application/yaml"), new Link(ASYNCAPI, "application/yaml")));
            links(
                    json,
                    "service-doc",
                    List.of(
                            new Link(Files.PAGE, "text/html"),
                            new Link(LLMS, "text/plain"),
                            new Link(SKILL, "text/markdown")));
            links(
                    json,
                    "service-meta",
                    List.of(
                            new Link(Files.MANIFEST, "application/json"),
                            new Link(Files.AGENT_SKILLS, "application/json"),
                            new Link(Files.CHANGES, "application/json")));
            links(json, "status", List.of(new Link("/api/v1/venues", "application/json")));
            links(json, "describedby", schemas);
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void links(JsonGenerator json, String relation, List<Link> links) throws IOException {
        Json.objects(json, relation, links, link -> {
            json.writeStringField("href", link.href());
            json.writeStringField("type", link.type());
        });
    }

    /** The index of agent skills: name and description as the skill itself states them, and the digest of its bytes. */
    static byte[] agentSkills(byte[] skill) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
            json.writeArrayFieldStart("skills");
            json.writeStartObject();
            json.writeStringField("name", stated(skill, "name"));
            json.writeStringField("type", "skill-md");
            json.writeStringField("description", stated(skill, "description"));
            json.writeStringField("url", SKILL);
            json.writeStringField("digest", "sha256:" + HexFormat.of().formatHex(Content.sha256(skill)));
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Returns a one-line field of the skill's front matter. */
    private static String stated(byte[] skill, String field) {
        return new String(skill, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(field + ": "))
                .map(line -> line.substring(field.length() + 2).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the skill states no " + field));
    }

    static byte[] robots() {
        return "User-agent: *\nAllow: /\n".getBytes(StandardCharsets.UTF_8);
    }

    static byte[] llms() {
        return """
                # Funding Observatory

                > Perpetual-futures funding rates and prices of crypto exchanges as JSON over plain HTTP. No key, read-only, free.

                Name a few coins in one request (`/api/v1/latest?assets=BTC,ETH`); choose among many with `order`, `limit` and
                `fields`. The whole list has megabytes. Without `venues` half of the exchanges are covered: `venues=all` names every
                one. `funding_rate_8h` is already per 8 hours: never convert it again. Join exchanges on `asset`. `meta.units` names
                units, `meta.missing` what is not there: relay both. `meta.source` is live, simulated or replay: never present
                others than live figures as live. Observation, not advice. Release %s.

                ## Addresses

                - [/api/v1](/api/v1): index, limits, how to read the fields
                - [/api/v1/latest](/api/v1/latest): latest funding rate and price per exchange and symbol
                - [/api/v1/venues](/api/v1/venues): the listed exchanges one by one
                - [/api/v1/carry](/api/v1/carry): cross-exchange pairs ranked by their funding difference over 30 days
                - [/openapi.yaml](/openapi.yaml): every address, parameter, status and field (OpenAPI 3.1, 45,000 tokens)
                - [/asyncapi.yaml](/asyncapi.yaml): the Kafka topics behind it (AsyncAPI 3.0)
                - [/skills/funding-rates/SKILL.md](/skills/funding-rates/SKILL.md): the agent skill
                - [/manifest.json](/manifest.json): every file with its size and digest
                - [/changes.json](/changes.json): what changed from release to release
                - [/.well-known/api-catalog](/.well-known/api-catalog): all descriptions, the schemas of the topics' records included
                - [/](/): the same figures as a page for people
                """.formatted(Release.NAME).getBytes(StandardCharsets.UTF_8);
    }
}
