package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.port.PublicPort;
import io.fundingobservatory.gateway.port.RefusalMeters;
import io.fundingobservatory.gateway.port.RefusalReason;
import io.fundingobservatory.gateway.traffic.TrafficShape;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import org.jspecify.annotations.Nullable;

/** Admits a request or refuses it with 429, by what its client has asked for so far. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(20)
final class TrafficFilter {
    private final PublicPort port;
    private final Site site;
    private final TrafficShape traffic;
    private final PublicResponses responses;
    private final RefusalMeters meters;

    TrafficFilter(PublicPort port, Site site, TrafficShape traffic, PublicResponses responses, RefusalMeters meters) {
        this.port = port;
        this.site = site;
        this.traffic = traffic;
        this.responses = responses;
        this.meters = meters;
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> filter(HttpRequest<?> request) {
        if (!port.isPublic(request.getServerAddress())) {
            return null;
        }
        PublicRequest read = PublicRequest.of(request);
        Verdict verdict =
                traffic.admit(read.client(), site.cost(read.asked(), read.snapshot()), System.nanoTime() / 1_000);
        if (verdict instanceof Verdict.Refused refused) {
            meters.refused(refused.shape() == Verdict.Shape.VOLUME ? RefusalReason.VOLUME : RefusalReason.SWEEP);
            return responses.of(
                    site.errors().refused(refused, read.asked(), read.asked().nowMs(), read.snapshot()), read);
        }
        return null;
    }
}
