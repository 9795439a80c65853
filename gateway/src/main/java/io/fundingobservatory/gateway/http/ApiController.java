package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.util.concurrent.CompletionStage;

/** The addresses of the interface. What they cost, and what the index says of them, stands in {@code core/Route}. */
@Controller("/api/v1")
@Produces(MediaType.ALL)
final class ApiController {
    private final Site site;
    private final PublicResponses responses;
    private final Rendering rendering;

    ApiController(Site site, PublicResponses responses, Rendering rendering) {
        this.site = site;
        this.responses = responses;
        this.rendering = rendering;
    }

    /** What is served, how to read it, and the limits. */
    @Get
    HttpResponse<?> index(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return responses.of(site.index(read.asked(), read.snapshot()), read);
    }

    /** Latest funding rates and prices: the whole list is prepared, what names narrow it to is put together aside. */
    @Get("/latest")
    CompletionStage<HttpResponse<?>> latest(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.answer(read, read.asked().plain(), () -> site.latest(read.asked(), read.snapshot()));
    }

    /** The listed exchanges, observed or not. */
    @Get("/venues")
    HttpResponse<?> venues(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return responses.of(site.venues(read.asked(), read.snapshot()), read);
    }

    /** Cross-exchange pairs ranked by their funding difference over 30 days. */
    @Get("/carry")
    CompletionStage<HttpResponse<?>> carry(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.answer(read, false, () -> site.carry(read.asked(), read.snapshot()));
    }

    /** What is not built answers 501 and says so. */
    @Get(uris = {"/history", "/cumulative_curve", "/rate_history", "/volume", "/depth_profile"})
    HttpResponse<?> notYet(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        SiteResponse response = site.notYet(read.asked(), read.snapshot());
        return responses.of(response, read);
    }
}
