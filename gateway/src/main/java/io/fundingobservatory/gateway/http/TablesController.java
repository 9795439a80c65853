package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.Route;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.traffic.CountsByNetwork;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.RequestAttribute;
import io.netty.channel.Channel;
import jakarta.annotation.PreDestroy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders tables ({@link Route}) outside the event loops, which milliseconds would delay. Equal requests under way share a rendering. A few of
 * each client wait at most; those whose connections have gone are dropped. What is prepared, files and errors are sent before the router
 * ({@link PublicRequestFilter}).
 */
@Controller
@Produces(MediaType.ALL)
final class TablesController {
    /** Half the processors, so that the event loops have the other half; no more than the heap has room for ({@code jvm.options}). */
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);

    /** So many wait, at up to 45 ms each. */
    private static final int WAITING = 256;

    /** So many renderings of one client wait or are under way. */
    private static final int CLIENT_MOST = 3;

    private static final int RETRY_S = 1;
    private static final String BUSY = "too many responses are being rendered; the whole list is there at once";

    private final Site site;
    private final PublicResponses responses;
    private final RefusalMeters meters;
    private final CountsByNetwork waiting = new CountsByNetwork();
    private final Map<Rendered, Rendering> underWay = new ConcurrentHashMap<>();
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
    CompletionStage<HttpResponse<PreparedBody>> table(@RequestAttribute(PublicRequest.ATTRIBUTE) PublicRequest read) {
        return rendered(read, () -> site.response(read.siteRequest(), read.snapshot()));
    }

    /** What is rendered: a request, whenever it arrived, from a snapshot. */
    private record Rendered(SiteRequest request, @Nullable Snapshot snapshot) {}

    /** A rendering, which makes the response to each request that waits for it, and their connections. */
    private static final class Rendering {
        private final CompletableFuture<Function<PublicRequest, HttpResponse<PreparedBody>>> responses =
                new CompletableFuture<>();
        private final Set<Channel> connections = new HashSet<>();

        private Rendering(Channel connection) {
            connections.add(connection);
        }

        private Rendering with(Rendering other) {
            connections.addAll(other.connections);
            return this;
        }

        private @Nullable Rendering ifAwaited() {
            return connections.stream().anyMatch(Channel::isActive) ? this : null;
        }
    }

    CompletionStage<HttpResponse<PreparedBody>> rendered(PublicRequest read, Supplier<SiteResponse> response) {
        var what = new Rendered(read.siteRequest().at(0), read.snapshot());
        // Added before it is compared: requests on other event loops are counted as well.
        boolean counted = !underWay.containsKey(what);
        if (counted && waiting.add(read.client(), 1) > CLIENT_MOST) {
            waiting.add(read.client(), -1);
            meters.refused(RefusalReason.CLIENT_MEMORY);
            return CompletableFuture.completedFuture(
                    responses.refused(new Verdict.Refused(Verdict.Cause.RENDERING, RETRY_S), read));
        }
        var own = new Rendering(read.connection());
        Rendering joined = underWay.merge(what, own, Rendering::with);
        if (counted != (joined == own)) {
            waiting.add(read.client(), counted ? -1 : 1);
        }
        if (joined == own) {
            try {
                Future<?> _ = own.responses.completeAsync(() -> now(what, own, response), threads);
            } catch (RejectedExecutionException e) {
                underWay.remove(what, own);
                own.responses.complete(waits -> responses.busy(BUSY, waits));
            }
            Future<?> _ = own.responses.whenComplete((made, failure) -> waiting.add(read.client(), -1));
        }
        return joined.responses.thenApply(made -> made.apply(read));
    }

    /** Renders, unless all connections have gone that wait for it. */
    private Function<PublicRequest, HttpResponse<PreparedBody>> now(
            Rendered what, Rendering own, Supplier<SiteResponse> response) {
        try {
            if (underWay.computeIfPresent(what, (key, rendering) -> rendering.ifAwaited()) == null) {
                return waits -> responses.unread();
            }
            SiteResponse made = response.get();
            return waits -> waits.connection().isActive() ? responses.of(at(made, waits), waits) : responses.unread();
        } finally {
            underWay.remove(what, own);
        }
    }

    /** Requests that share a rendering were made at different times. */
    private static SiteResponse at(SiteResponse made, PublicRequest waits) {
        Snapshot snapshot = waits.snapshot();
        return snapshot == null ? made : Site.at(waits.siteRequest().nowMs(), made, snapshot);
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
