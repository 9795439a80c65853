package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.edge.PublicPort;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What the router and the codec refuse gets the same envelope as every other response: JSON, no trace, nothing echoed. */
@Singleton
record ErrorHandler(
        Site site,
        CurrentSnapshot snapshots,
        HttpResponses responses,
        PublicPort port,
        RefusalMeters meters,
        InstantSource clock)
        implements ErrorResponseProcessor<byte[]> {
    @Override
    public MutableHttpResponse<byte[]> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        boolean counted = port.isPublic(error.getRequest().getServerAddress());
        Throwable cause = undecoded(error.getRequest());
        // A target that is no URI fails before any filter sees it.
        if (cause != null || (counted && response.code() == 400)) {
            if (counted) {
                meters.refused(
                        cause != null && PublicPort.isLate(cause)
                                ? RefusalMeters.Reason.SLOW_REQUEST
                                : RefusalMeters.Reason.MALFORMED);
            }
            return responses.last(
                    switch (cause) {
                        case TooLongHttpLineException _ -> 414;
                        case TooLongHttpHeaderException _ -> 431;
                        case null, default -> 400;
                    });
        }
        if (counted && response.code() >= 500) {
            meters.refused(RefusalMeters.Reason.FAILED);
        }
        return responses.whole(site.errors().of(response.code(), clock.millis(), snapshots.current()), false);
    }

    private static @Nullable Throwable undecoded(HttpRequest<?> request) {
        return request instanceof NettyHttpRequest<?> netty
                ? netty.getNativeRequest().decoderResult().cause()
                : null;
    }
}
