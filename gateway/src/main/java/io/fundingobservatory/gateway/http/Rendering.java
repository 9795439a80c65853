package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.port.RefusalMeters;
import io.fundingobservatory.gateway.port.RefusalReason;
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

/** Puts answers together that are not prepared, beside the event loops: what takes milliseconds there delays everybody else's answers. */
@Singleton
final class Rendering {
    /** Half the processors, so that the event loops have the other half. */
    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /** So many wait, at some milliseconds each: a second or so. */
    private static final int WAITING = 256;

    private static final String BUSY = "too many answers are being put together; the whole list is there at once";

    private final Site site;
    private final PublicResponses responses;
    private final RefusalMeters meters;
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

    /**
     * The answer, when it is there.
     *
     * @param prepared whether it needs no putting together
     */
    CompletionStage<HttpResponse<?>> answer(PublicRequest read, boolean prepared, Supplier<SiteResponse> answer) {
        if (prepared) {
            return CompletableFuture.completedFuture(responses.of(answer.get(), read));
        }
        try {
            return CompletableFuture.supplyAsync(() -> responses.of(answer.get(), read), threads);
        } catch (RejectedExecutionException e) {
            meters.refused(RefusalReason.MEMORY);
            return CompletableFuture.completedFuture(
                    responses.of(site.errors().busy(BUSY, read.asked().nowMs(), read.snapshot()), read));
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
