package io.fundingobservatory.gateway.core.site;

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
        return SiteRequest.of(method, address, tags, null, acceptEncoding, nowMs);
    }
}
