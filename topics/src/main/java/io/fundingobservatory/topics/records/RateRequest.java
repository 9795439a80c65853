package io.fundingobservatory.topics.records;

import io.fundingobservatory.topics.json.JsonCodec;
import org.jspecify.annotations.Nullable;

/**
 * One request to a venue's public API from which its rates are read. Anybody can send it to check a rate.
 *
 * @param method GET or POST
 * @param url the address; {@code {}} in it is replaced by the venue's name of a contract or of a group of contracts
 * @param body what a POST sends, with {@code {}} likewise; null for GET
 */
public record RateRequest(
        String method, String url, @Nullable String body) {
    static final JsonCodec<RateRequest> CODEC = JsonCodec.<RateRequest>of("rate-request", 1)
            .text("method", RateRequest::method)
            .text("url", RateRequest::url)
            .textOrNull("body", RateRequest::body)
            .build(f -> new RateRequest(f.text("method"), f.text("url"), f.textOrNull("body")));
}
