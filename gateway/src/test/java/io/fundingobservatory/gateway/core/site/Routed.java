package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import java.util.List;

/** Requests as the site reads them, and bodies as it returns them, without a server. */
public final class Routed {
    private Routed() {}

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
