package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.site.Site;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.util.concurrent.CompletionStage;

/**
 * The endpoints of the interface, as {@link Route} declares them. A response that is prepared is sent before the router
 * ({@link PublicRequestFilter}); those that get here are rendered.
 */
@Controller
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
    @Get(Route.Path.INDEX)
    CompletionStage<HttpResponse<PreparedBody>> index(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.response(read, () -> site.index(read.asked(), read.snapshot()));
    }

    /** Latest funding rates and prices. */
    @Get(Route.Path.LATEST)
    CompletionStage<HttpResponse<PreparedBody>> latest(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.response(read, () -> site.latest(read.asked(), read.snapshot()));
    }

    /** The listed venues, observed or not. */
    @Get(Route.Path.VENUES)
    CompletionStage<HttpResponse<PreparedBody>> venues(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.response(read, () -> site.venues(read.asked(), read.snapshot()));
    }

    /** Pairs of venues ranked by their funding difference over 30 days. */
    @Get(Route.Path.CARRY)
    CompletionStage<HttpResponse<PreparedBody>> carry(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendering.response(read, () -> site.carry(read.asked(), read.snapshot()));
    }

    /** What is not built answers 501. */
    @Get(
            uris = {
                Route.Path.HISTORY,
                Route.Path.CUMULATIVE_CURVE,
                Route.Path.RATE_HISTORY,
                Route.Path.VOLUME,
                Route.Path.DEPTH_PROFILE
            })
    HttpResponse<PreparedBody> notYet(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return responses.of(site.notYet(read.asked(), read.snapshot()), read);
    }
}
