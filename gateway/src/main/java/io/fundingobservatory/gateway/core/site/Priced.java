package io.fundingobservatory.gateway.core.site;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.traffic.RequestCost;
import org.jspecify.annotations.Nullable;

/**
 * Cost of a request, and its response where one is prepared. The coding is chosen and the tags are compared
 * once for both.
 *
 * @param prepared null where the response has to be rendered, or is not a content
 */
public record Priced(RequestCost cost, @Nullable Prepared prepared) {
    /** A content of the current snapshot, the coding of the response (null for none), and whether the client has these bytes already. */
    public record Prepared(Content content, @Nullable Coding coding, boolean unchanged) {}
}
