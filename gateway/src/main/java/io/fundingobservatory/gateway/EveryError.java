package io.fundingobservatory.gateway;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** What the HTTP server refuses on its own gets the same envelope as every other answer: JSON, no trace, nothing echoed. */
@Singleton
final class EveryError implements ErrorResponseProcessor<ByteBuf> {
    private final Replies replies;

    EveryError(Replies replies) {
        this.replies = replies;
    }

    @Override
    public MutableHttpResponse<ByteBuf> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        return replies.refusal(status(error.getRootCause().orElse(null), response.code()));
    }

    /** The server calls both 413; they are told apart so that a client knows what to shorten. */
    private static int status(@Nullable Throwable cause, int status) {
        return switch (cause) {
            case TooLongHttpLineException line -> 414;
            case TooLongHttpHeaderException header -> 431;
            case null, default -> status;
        };
    }
}
