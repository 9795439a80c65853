package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpResponse;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Renders responses that are not prepared, outside the event loops: what takes milliseconds there delays all other responses. A few
 * of each client wait at most, and those whose connection has gone are not rendered.
 */
@Singleton
final class Rendering {
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
    private final CountsByNetwork waiting = new CountsByNetwork(CLIENT_MOST);
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("gateway-rendering-", 0).factory());

    Rendering(Site site, PublicResponses responses, RefusalMeters meters) {
        this.site = site;
        this.responses = responses;
        this.meters = meters;
    }

    /** The response, when it is there. */
    CompletionStage<HttpResponse<PreparedBody>> response(PublicRequest read, Supplier<SiteResponse> response) {
        if (!waiting.fits(read.client(), 1)) {
            meters.refused(RefusalReason.CLIENT_MEMORY);
            return now(
                    site.errors()
                            .refused(
                                    new Verdict.Refused(Verdict.Shape.UNREAD, RETRY_S),
                                    read.asked(),
                                    read.asked().nowMs(),
                                    read.snapshot()),
                    read);
        }
        Runnable done = waiting.begun(read.client(), 1);
        try {
            return CompletableFuture.supplyAsync(() -> rendered(read, response, done), threads);
        } catch (RejectedExecutionException e) {
            done.run();
            meters.refused(RefusalReason.MEMORY);
            return now(site.errors().busy(BUSY, read.asked().nowMs(), read.snapshot()), read);
        }
    }

    private HttpResponse<PreparedBody> rendered(PublicRequest read, Supplier<SiteResponse> response, Runnable done) {
        try {
            return read.connection().isActive() ? responses.of(response.get(), read) : responses.unread();
        } finally {
            done.run();
        }
    }

    private CompletionStage<HttpResponse<PreparedBody>> now(SiteResponse response, PublicRequest read) {
        return CompletableFuture.completedFuture(responses.of(response, read));
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
