package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Files;
import io.fundingobservatory.gateway.core.site.Route;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micronaut.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Times what gets a response before the router, under the name and tags of the framework's own {@code http.server.requests}, which sees
 * routed requests alone.
 */
@Singleton
final class EarlyResponseMeters {
    private static final String UNMATCHED = "UNMATCHED_URI";

    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();
    private final MeterRegistry meters;

    private record Key(HttpMethod method, String uri, int status) {}

    EarlyResponseMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    void record(HttpMethod method, String path, int status, long tookNs) {
        timers.computeIfAbsent(new Key(method, uri(path, status), status), this::timer)
                .record(tookNs, TimeUnit.NANOSECONDS);
    }

    private static String uri(String path, int status) {
        if (status >= 300 && status < 400) {
            return "REDIRECTION";
        }
        Route route = Route.of(path);
        if (route != null) {
            return route.path;
        }
        // What is served has a path of ours.
        return status != 200 ? UNMATCHED : Files.isPagePart(path) ? Files.PAGE_PARTS : path;
    }

    private Timer timer(Key key) {
        return Timer.builder("http.server.requests")
                .tag("method", key.method().toString())
                .tag("status", Integer.toString(key.status()))
                .tag("uri", key.uri())
                .tag("exception", "none")
                .register(meters);
    }
}
