package io.fundingobservatory.gateway;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
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
        return replies.refusal(status(error.getRequest(), response.code()));
    }

    /** The server calls both 413; they are told apart so that a client knows what to shorten. */
    private static int status(HttpRequest<?> request, int status) {
        Throwable unreadable = request instanceof NettyHttpRequest<?> netty
                ? netty.getNativeRequest().decoderResult().cause()
                : null;
        return switch (unreadable) {
            case TooLongHttpLineException line -> 414;
            case TooLongHttpHeaderException header -> 431;
            case null, default -> status;
        };
    }
}
