package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Segment;
import java.util.List;
import java.util.Map;

/** A response before the server sends it, with its fields in order. That to HEAD has its body too; the server leaves it out. */
public record SiteResponse(int status, Map<String, String> headers, List<Segment> body) {
    /** The same without a body. */
    public SiteResponse withoutBody() {
        return new SiteResponse(status, headers, List.of());
    }
}
