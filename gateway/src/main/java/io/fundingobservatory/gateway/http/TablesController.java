package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.traffic.CountsByNetwork;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Renders tables of the interface ({@link Route}) outside the event loops: what takes milliseconds there delays
 * all other responses. A few of each client wait at most, and those whose connection has gone are not rendered.
 * Every other response is sent before the router ({@link PublicRequestFilter}): tables that are prepared, files
 * and errors.
 */
@Controller
@Produces(MediaType.ALL)
final class TablesController {
    /** Half the processors, so that the event loops have the other half. */
    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /** So many wait, at up to 45 ms each. */
    private static final int WAITING = 256;

    /** So many of one client wait or are being rendered. */
    private static final int CLIENT_MOST = 3;

    private static final int RETRY_S = 1;
    private static final String BUSY = "too many responses are being rendered; the whole list is there at once";

    private final Site site;
    private final PublicResponses responses;
    private final RefusalMeters meters;
    private final CountsByNetwork waiting = new CountsByNetwork();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("gateway-rendering-", 0).factory());

    TablesController(Site site, PublicResponses responses, RefusalMeters meters) {
        this.site = site;
        this.responses = responses;
        this.meters = meters;
    }

    @Get(uris = {Route.Path.INDEX, Route.Path.LATEST, Route.Path.VENUES, Route.Path.CARRY})
    CompletionStage<HttpResponse<PreparedBody>> table(HttpRequest<?> request) {
        PublicRequest read = PublicRequest.of(request);
        return rendered(read, () -> site.response(read.siteRequest(), read.snapshot()));
    }

    CompletionStage<HttpResponse<PreparedBody>> rendered(PublicRequest read, Supplier<SiteResponse> response) {
        if (waiting.add(read.client(), 1) > CLIENT_MOST) {
            waiting.add(read.client(), -1);
            meters.refused(RefusalReason.CLIENT_MEMORY);
            return CompletableFuture.completedFuture(
                    responses.refused(new Verdict.Refused(Verdict.Cause.UNREAD, RETRY_S), read));
        }
        try {
            return CompletableFuture.supplyAsync(() -> now(read, response), threads);
        } catch (RejectedExecutionException e) {
            waiting.add(read.client(), -1);
            return CompletableFuture.completedFuture(responses.busy(BUSY, read));
        }
    }

    private HttpResponse<PreparedBody> now(PublicRequest read, Supplier<SiteResponse> response) {
        try {
            return read.connection().isActive() ? responses.of(response.get(), read) : responses.unread();
        } finally {
            waiting.add(read.client(), -1);
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
