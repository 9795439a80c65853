package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the site as the routes and filters do, without a server. */
public final class Routed {
    private Routed() {}

    public static SiteResponse response(Site site, SiteRequest request, @Nullable Snapshot snapshot) {
        if (request.method().equals("OPTIONS")) {
            return site.options();
        }
        if (!request.reads()) {
            return site.errors().of(405, request.nowMs(), snapshot);
        }
        return switch (request.route()) {
            case INDEX -> site.index(request, snapshot);
            case LATEST -> site.latest(request, snapshot);
            case VENUES -> site.venues(request, snapshot);
            case CARRY -> site.carry(request, snapshot);
            case null -> site.file(request, snapshot);
            default -> site.notYet(request, snapshot);
        };
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
