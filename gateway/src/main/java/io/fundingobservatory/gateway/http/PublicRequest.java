package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.Address;
import io.micronaut.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request that the filters have read, with the one snapshot that it is judged and answered by.
 *
 * @param client who asks
 * @param asked what is asked
 * @param snapshot what is served now; null until the first complete list
 * @param keepAliveAsked whether it asks, in HTTP/1.0, for its connection to be kept
 */
record PublicRequest(
        Address client, SiteRequest asked, @Nullable Snapshot snapshot, boolean keepAliveAsked) {
    private static final String ATTRIBUTE = PublicRequest.class.getName();

    void attachTo(HttpRequest<?> request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static PublicRequest of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, PublicRequest.class)
                .orElseThrow(() -> new IllegalStateException("a route was called without its filters"));
    }
}
