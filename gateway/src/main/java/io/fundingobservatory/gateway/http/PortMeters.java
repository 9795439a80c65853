package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.gateway.core.site.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Counts what this side refused or ended, by reason. Times responses under the name and tags of the framework's own {@code
 * http.server.requests}, which sees routed requests alone: the public port has no routes.
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
    private final MeterRegistry meters;

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

    void refused(Reason why) {
        Objects.requireNonNull(refused.get(why)).increment();
    }

    /** A response to a path was made. */
    void served(HttpMethod method, String path, int status, long tookNs) {
        meters.timer(
                        "http.server.requests",
                        "method",
                        method.toString(),
                        "status",
                        Integer.toString(status),
                        "uri",
                        uri(path, status),
                        "exception",
                        "none")
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
}
