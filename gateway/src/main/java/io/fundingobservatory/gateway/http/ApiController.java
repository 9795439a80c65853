package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Route;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.edge.PortMeters;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Renders tables ({@link Route}) outside the event loops, which milliseconds would delay. What is prepared, files and errors are sent before
 * the router ({@link PublicRequestFilter}).
 */
@Controller
@Produces(MediaType.ALL)
final class ApiController {
    private static final String BUSY = "too many responses are being rendered; the whole list is there at once";

    private final HttpResponses responses;
    private final FairQueue queue;

    ApiController(HttpResponses responses, FairQueue queue) {
        this.responses = responses;
        this.queue = queue;
    }

    /**
     * A request that the filter has read and priced.
     *
     * @param response makes its response of the snapshot that it was priced with
     * @param client whose turn it is to be
     */
    record Waiting(SiteRequest read, Supplier<SiteResponse> response, Address client) {
        private static final String ATTRIBUTE = "observatory.request";

        static void put(HttpRequest<?> request, SiteRequest read, Supplier<SiteResponse> response, Address client) {
            request.setAttribute(ATTRIBUTE, new Waiting(read, response, client));
        }
    }

    @Get(uris = {Route.Path.INDEX, Route.Path.LATEST, Route.Path.VENUES, Route.Path.CARRY})
    CompletionStage<HttpResponse<SiteResponse>> table(HttpRequest<?> request) {
        Waiting waiting = request.getAttribute(Waiting.ATTRIBUTE, Waiting.class).orElseThrow();
        var channel = ((NettyHttpRequest<?>) request).getChannelHandlerContext().channel();
        var made = new CompletableFuture<HttpResponse<SiteResponse>>();
        boolean accepted = queue.add(waiting.client(), () -> {
            try {
                made.complete(
                        // Nobody waits for it where its connection has gone.
                        channel.isActive()
                                ? responses.of(waiting.response().get(), request, waiting.read())
                                : HttpResponses.unread());
            } catch (RuntimeException | OutOfMemoryError e) {
                made.completeExceptionally(e);
            }
        });
        return accepted
                ? made
                : CompletableFuture.completedFuture(
                        responses.busy(BUSY, PortMeters.Reason.RENDERING, request, waiting.read()));
    }
}
