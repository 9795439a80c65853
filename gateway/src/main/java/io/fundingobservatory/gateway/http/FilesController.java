package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

/**
 * Serves the page, the skill, the descriptions and the manifest of them all. They are a fixed map from path
 * to bytes; the key is the path as sent.
 */
@Controller
@Produces(MediaType.ALL)
final class FilesController {
    private final Site site;
    private final PublicResponses responses;

    FilesController(Site site, PublicResponses responses) {
        this.site = site;
        this.responses = responses;
    }

    @Get(
            uris = {
                "/",
                "/page/{digest}/{name}",
                "/skills/funding-rates/SKILL.md",
                "/manifest.json",
                "/openapi.yaml",
                "/asyncapi.yaml",
                "/schemas/{name}",
                "/llms.txt",
                "/robots.txt",
                "/.well-known/api-catalog",
                "/.well-known/agent-skills/index.json"
            })
    HttpResponse<PreparedBody> file(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return responses.of(site.file(read.asked(), read.snapshot()), read);
    }
}
