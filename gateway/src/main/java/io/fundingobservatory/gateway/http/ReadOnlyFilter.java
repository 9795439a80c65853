package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.port.PublicPort;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import org.jspecify.annotations.Nullable;

/**
 * Answers what no route is asked for: OPTIONS of any address, with what may be asked from any origin, and methods that would change
 * something, with 405. A path with a slash at its end is another address than the one without, which the router takes for the same.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(30)
final class ReadOnlyFilter {
    private final PublicPort port;
    private final Site site;
    private final PublicResponses responses;

    ReadOnlyFilter(PublicPort port, Site site, PublicResponses responses) {
        this.port = port;
        this.site = site;
        this.responses = responses;
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> filter(HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return null;
        }
        PublicRequest read = PublicRequest.of(request);
        String path = read.asked().path();
        return switch (read.asked().method()) {
            case "GET", "HEAD" -> path.length() > 1 && path.endsWith("/") ? responses.error(404, read) : null;
            case "OPTIONS" -> responses.of(site.options(), read);
            default -> responses.error(405, read);
        };
    }
}
