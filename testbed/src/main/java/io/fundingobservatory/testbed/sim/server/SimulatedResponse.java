package io.fundingobservatory.testbed.sim.server;

import java.util.Map;

/**
 * The response of a simulated exchange.
 *
 * @param status the HTTP status
 * @param headers further headers: usage, waits
 * @param body the body
 * @param afterMs how long the exchange takes for it
 */
public record SimulatedResponse(int status, Map<String, String> headers, String body, long afterMs) {
    /** JSON, unless the body is a page of a firewall or a plain word. */
    public String contentType() {
        return body.startsWith("<") ? ResponseWriter.HTML : ResponseWriter.JSON;
    }
}
