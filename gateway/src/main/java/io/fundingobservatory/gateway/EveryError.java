package io.fundingobservatory.gateway;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.netty.buffer.ByteBuf;
import jakarta.inject.Singleton;

/** What the HTTP server refuses on its own gets the same envelope as every other answer: JSON, no trace, nothing echoed. */
@Singleton
final class EveryError implements ErrorResponseProcessor<ByteBuf> {
    private final Replies replies;

    EveryError(Replies replies) {
        this.replies = replies;
    }

    @Override
    public MutableHttpResponse<ByteBuf> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        return replies.refusal(response.code());
    }
}
