package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.edge.PortMeters;
import io.fundingobservatory.gateway.edge.PublicPort;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;

/** What the router and the codec refuse gets the same envelope as every other response: JSON, no trace, nothing echoed. */
@Singleton
record ErrorHandler(HttpResponses responses, PublicPort port, PortMeters meters)
        implements ErrorResponseProcessor<SiteResponse> {
    @Override
    public MutableHttpResponse<SiteResponse> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        HttpRequest<?> request = error.getRequest();
        boolean counted = port.isPublic(request.getServerAddress());
        Throwable cause = ((NettyHttpRequest<?>) request)
                .getNativeRequest()
                .decoderResult()
                .cause();
        // A target that is no URI fails before any filter sees it.
        if (cause != null || (counted && response.code() == 400)) {
            if (counted) {
                meters.refused(PortMeters.Reason.MALFORMED);
            }
            int status = switch (cause) {
                case TooLongHttpLineException _ -> 414;
                case TooLongHttpHeaderException _ -> 431;
                case null, default -> 400;
            };
            return responses.last(status, request);
        }
        if (counted && response.code() >= 500) {
            meters.refused(PortMeters.Reason.FAILED);
        }
        return responses.error(response.code(), request);
    }
}
