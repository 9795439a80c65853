package io.fundingobservatory.gateway.edge;

import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.gateway.core.site.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micronaut.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts what this side refused or ended, by reason. Times responses that are made before the router, under the name and tags of the
 * framework's own {@code http.server.requests}, which sees routed requests alone.
 */
@Singleton
public final class PortMeters {
    /** Why a request was refused or a connection ended by this side. */
    public enum Reason {
        /** More requests than a client may send. */
        VOLUME,
        /** Many different names. */
        SWEEP,
        /** Not plainly one request without a body. */
        MALFORMED,
        /** The request did not arrive in time. */
        SLOW_REQUEST,
        /** The client did not read its response in time. */
        SLOW_READER,
        /** All connections are taken. */
        CONNECTIONS,
        /** The client's network holds as many connections as one may. */
        CLIENT_CONNECTIONS,
        /** Too many bytes are unsent. */
        MEMORY,
        /** Too many responses are being rendered. */
        RENDERING,
        /** The response failed: an internal error. */
        FAILED
    }

    private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);
    private final Map<Early, Timer> early = new ConcurrentHashMap<>();
    private final MeterRegistry meters;

    private record Early(HttpMethod method, String uri, int status) {}

    PortMeters(MeterRegistry meters) {
        this.meters = meters;
        for (Reason why : Reason.values()) {
            refused.put(
                    why,
                    Counter.builder("observatory.gateway.refused")
                            .description("requests refused and connections ended by this side")
                            .tag("reason", why.name().toLowerCase(Locale.ROOT))
                            .register(meters));
        }
    }

    public void refused(Reason why) {
        Objects.requireNonNull(refused.get(why)).increment();
    }

    /** A response was made before the router. */
    public void early(HttpMethod method, String path, int status, long tookNs) {
        early.computeIfAbsent(new Early(method, uri(path, status), status), this::timer)
                .record(tookNs, TimeUnit.NANOSECONDS);
    }

    /** What is served has a path of ours; no other path becomes a tag. */
    private static String uri(String path, int status) {
        Route route = Route.of(path);
        return status >= 300 && status < 400
                ? "REDIRECTION"
                : route != null
                        ? route.path
                        : status != 200 ? "UNMATCHED_URI" : Files.isPagePart(path) ? Files.PAGE_PARTS : path;
    }

    private Timer timer(Early response) {
        return Timer.builder("http.server.requests")
                .tag("method", response.method().toString())
                .tag("status", Integer.toString(response.status()))
                .tag("uri", response.uri())
                .tag("exception", "none")
                .register(meters);
    }
}
