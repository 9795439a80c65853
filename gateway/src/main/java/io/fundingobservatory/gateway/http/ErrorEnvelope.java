package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.site.ErrorResponses;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.edge.PublicPort;
import io.fundingobservatory.gateway.edge.RefusalMeters;
import io.fundingobservatory.gateway.edge.RefusalReason;
import io.fundingobservatory.gateway.edge.RefusedConnection;
import io.fundingobservatory.gateway.traffic.Verdict;
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

/** What the router, the codec and the guards refuse gets the same envelope as every other response: JSON, no trace, nothing echoed. */
@Singleton
record ErrorEnvelope(
        Site site,
        CurrentSnapshot snapshots,
        PublicResponses responses,
        PublicPort port,
        RefusalMeters meters,
        InstantSource clock)
        implements ErrorResponseProcessor<byte[]> {
    private static final int CONNECTIONS_RETRY_S = 10;
    private static final String ALL_CONNECTIONS = "all connections are taken at the moment";

    @Override
    public MutableHttpResponse<byte[]> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        boolean counted = port.isPublic(error.getRequest().getServerAddress());
        Throwable cause = undecoded(error.getRequest());
        if (cause != null) {
            return responses.last(undecoded(cause, counted));
        }
        if (counted && response.code() == 400) {
            // A target that is no URI fails before any filter sees it.
            meters.refused(RefusalReason.MALFORMED);
            return responses.last(400);
        }
        if (counted && response.code() >= 500) {
            meters.refused(RefusalReason.FAILED);
        }
        return responses.whole(site.errors().of(response.code(), clock.millis(), snapshots.current()), null);
    }

    private static @Nullable Throwable undecoded(HttpRequest<?> request) {
        return request instanceof NettyHttpRequest<?> netty
                ? netty.getNativeRequest().decoderResult().cause()
                : null;
    }

    private SiteResponse undecoded(Throwable cause, boolean counted) {
        ErrorResponses errors = site.errors();
        long nowMs = clock.millis();
        Snapshot snapshot = snapshots.current();
        RefusalReason reason = cause instanceof RefusedConnection refused ? refused.reason() : RefusalReason.MALFORMED;
        if (counted) {
            meters.refused(reason);
        }
        return switch (reason) {
            case CONNECTIONS -> errors.busy(ALL_CONNECTIONS, nowMs, snapshot);
            case CLIENT_CONNECTIONS ->
                errors.refused(
                        new Verdict.Refused(Verdict.Cause.CONNECTIONS, CONNECTIONS_RETRY_S), null, nowMs, snapshot);
            default ->
                errors.of(
                        switch (cause) {
                            case TooLongHttpLineException line -> 414;
                            case TooLongHttpHeaderException field -> 431;
                            default -> 400;
                        },
                        nowMs,
                        snapshot);
        };
    }
}
