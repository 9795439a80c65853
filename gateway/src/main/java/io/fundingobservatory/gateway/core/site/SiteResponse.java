package io.fundingobservatory.gateway.core.site;

import java.util.List;
import java.util.Map;

/**
 * What goes back: a status, the header fields in order, and the bytes in pieces. The answer to HEAD has its pieces too; the server
 * leaves them out.
 */
public record SiteResponse(int status, Map<String, String> headers, List<byte[]> pieces) {}
