package io.fundingobservatory.gateway.core;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The small files by which crawlers and agents find their way. */
final class SelfDescription {
    static final String SKILL = "/skills/funding-rates/SKILL.md";

    static final String OPENAPI = "/openapi.yaml";
    static final String ASYNCAPI = "/asyncapi.yaml";

    private SelfDescription() {}

    /** RFC 9727: a linkset of the interface and what describes it. */
    static byte[] apiCatalog() {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("linkset");
            json.writeStartObject();
            json.writeStringField("anchor", "/api/v1");
            link(json, "service-desc", OPENAPI, "application/yaml");
            link(json, "service-doc", "/llms.txt", "text/plain");
            link(json, "service-meta", "/manifest.json", "application/json");
            link(json, "item", "/api/v1/latest", "application/json");
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void link(JsonGenerator json, String relation, String href, String type) throws IOException {
        json.writeArrayFieldStart(relation);
        json.writeStartObject();
        json.writeStringField("href", href);
        json.writeStringField("type", type);
        json.writeEndObject();
        json.writeEndArray();
    }

    /** The index of agent skills, with the digest of the one there is. */
    static byte[] agentSkills(byte[] skill) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
            json.writeArrayFieldStart("skills");
            json.writeStartObject();
            json.writeStringField("name", "funding-rates");
            json.writeStringField("type", "skill-md");
            json.writeStringField(
                    "description",
                    "Read perpetual-futures funding rates and prices of up to 48 exchanges, comparable per 8 hours.");
            json.writeStringField("url", SKILL);
            json.writeStringField("digest", "sha256:" + HexFormat.of().formatHex(Content.sha256(skill)));
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static byte[] robots() {
        return "User-agent: *\nAllow: /\n".getBytes(StandardCharsets.UTF_8);
    }

    static byte[] llms() {
        return """
                # Funding Observatory

                > Perpetual-futures funding rates and prices of up to 48 exchanges as JSON over plain HTTP. No key, read-only, free.

                Fetch `/api/v1/latest` once and filter locally. `funding_rate_8h` is already per 8 hours: never convert it again.
                Join exchanges on `asset`. Every answer names the units of its numbers in `meta.units` and what it does not
                contain in `meta.missing`: relay both. Observation, not advice.

                ## Addresses

                - [/api/v1](/api/v1): index, limits, how to read the fields
                - [/api/v1/latest](/api/v1/latest): latest funding rate and price per exchange and symbol
                - [/api/v1/venues](/api/v1/venues): the listed exchanges one by one
                - [/api/v1/carry](/api/v1/carry): cross-exchange pairs ranked by their funding difference over 30 days
                - [/openapi.yaml](/openapi.yaml): every address, parameter, status and field (OpenAPI 3.1)
                - [/asyncapi.yaml](/asyncapi.yaml): the Kafka topics behind it (AsyncAPI 3.0)
                - [/skills/funding-rates/SKILL.md](/skills/funding-rates/SKILL.md): the agent skill
                - [/manifest.json](/manifest.json): every file with its size and digest
                """.getBytes(StandardCharsets.UTF_8);
    }
}
