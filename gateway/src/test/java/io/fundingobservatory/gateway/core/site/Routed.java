package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests as the site reads them, and bodies as it returns them, without a server. */
public final class Routed {
    private Routed() {}

    public static SiteResponse response(Site site, SiteRequest request, @Nullable Snapshot snapshot) {
        return site.decide(request, snapshot).response().get();
    }

    /** The body of a response in pieces, in order. */
    public static List<byte[]> pieces(SiteResponse response) {
        return response.body().stream()
                .flatMap(segment -> segment.pieces().stream())
                .toList();
    }

    /** A request for an address, with or without a query. */
    public static SiteRequest request(
            String method, String address, List<String> tags, List<String> acceptEncoding, long nowMs) {
        int mark = address.indexOf('?');
        return SiteRequest.of(
                method,
                mark < 0 ? address : address.substring(0, mark),
                mark < 0 ? null : address.substring(mark + 1),
                tags,
                null,
                acceptEncoding,
                nowMs,
                50);
    }
}
