package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.site.Site;
import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.CurrentSnapshot;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.http.netty.NettyHttpHeaders;
import io.micronaut.http.netty.body.NettyByteBodyFactory;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;

/**
 * Turns what the site returns into responses of the framework, and writes their bodies as buffers that responses share. What the framework
 * and the codec refuse gets the same envelope as every other response: JSON, no trace, nothing echoed.
 */
@Singleton
record HttpResponses(
        Site site,
        CurrentSnapshot snapshots,
        UnsentBytes unsent,
        PublicPort port,
        PortMeters meters,
        InstantSource clock)
        implements ResponseBodyWriter<SiteResponse>, ErrorResponseProcessor<SiteResponse> {
    private static final String FULL =
            "too many bytes are being sent; the whole list with Accept-Encoding: gzip is there at once";

    /** Smaller bodies are sent from the heap: they are copied as fast as they are looked up. */
    private static final long LEAST_SHARED = 4_096;

    /** A response; 503 where there is no room for its body. */
    MutableHttpResponse<SiteResponse> of(SiteResponse response, HttpRequest<?> request, SiteRequest read) {
        boolean packed = response.headers().containsKey("Content-Encoding");
        boolean prepared =
                response.body().size() == 1 && response.body().getFirst().isShared();
        return read.method().equals("HEAD") || unsent.permits(Segment.length(response.body()), packed, prepared)
                ? sent(response, request)
                : busy(FULL, PortMeters.Reason.MEMORY, request, read);
    }

    /** The response while something is used up; why, in a line. */
    MutableHttpResponse<SiteResponse> busy(
            String why, PortMeters.Reason reason, HttpRequest<?> request, SiteRequest read) {
        meters.refused(reason);
        return sent(site.errors().busy(why, read.nowMs(), snapshots.current()), request);
    }

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
            return last(status, request);
        }
        if (counted && response.code() >= 500) {
            meters.refused(PortMeters.Reason.FAILED);
        }
        return error(response.code(), request);
    }

    private MutableHttpResponse<SiteResponse> error(int status, HttpRequest<?> request) {
        return sent(site.errors().of(status, clock.millis(), snapshots.current()), request);
    }

    /** An error that is the last response of its connection: what follows on it cannot be trusted to be a request. */
    MutableHttpResponse<SiteResponse> last(int status, HttpRequest<?> request) {
        MutableHttpResponse<SiteResponse> last = error(status, request);
        fields(last).set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return last;
    }

    private MutableHttpResponse<SiteResponse> sent(SiteResponse response, HttpRequest<?> request) {
        MutableHttpResponse<SiteResponse> sent = HttpResponse.status(HttpStatus.valueOf(response.status()));
        HttpHeaders fields = fields(sent);
        response.headers().forEach(fields::add);
        io.netty.handler.codec.http.HttpRequest message = ((NettyHttpRequest<?>) request).getNativeRequest();
        // What a client of HTTP/1.0 requests of its connection is to be confirmed.
        if (!message.protocolVersion().isKeepAliveDefault() && HttpUtil.isKeepAlive(message)) {
            fields.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        if (!response.body().isEmpty()) {
            sent.body(response);
            sent.bodyWriter(this);
        }
        return sent;
    }

    private static HttpHeaders fields(HttpResponse<?> response) {
        return ((NettyHttpHeaders) response.getHeaders()).getNettyHeaders();
    }

    /** A response to a connection that has gone. The framework needs one; it is never sent. */
    static MutableHttpResponse<SiteResponse> unread() {
        return HttpResponse.status(499, "Client Closed Request");
    }

    @Override
    public CloseableByteBody writePiece(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            HttpResponse<?> response,
            Argument<SiteResponse> type,
            MediaType mediaType,
            SiteResponse body) {
        return ((NettyByteBodyFactory) factory).adapt(buffer(body.body()));
    }

    /** For bodies that are written to streams: this port has none. */
    @Override
    public void writeTo(
            Argument<SiteResponse> type,
            MediaType mediaType,
            SiteResponse body,
            MutableHeaders headers,
            OutputStream out) {
        throw new UnsupportedOperationException("a prepared body is sent as buffers");
    }

    /** The bytes as one buffer. All its parts are outside the heap, or the socket would copy them for each reader. */
    static ByteBuf buffer(List<Segment> segments) {
        if (segments.size() == 1 && segments.getFirst().isShared()) {
            return segments.getFirst().buffer();
        }
        if (Segment.length(segments) < LEAST_SHARED) {
            return Unpooled.wrappedBuffer(segments.stream()
                    .flatMap(segment -> segment.pieces().stream())
                    .toArray(byte[][]::new));
        }
        CompositeByteBuf whole = Unpooled.compositeBuffer(segments.size());
        try {
            for (Segment segment : segments) {
                whole.addComponent(true, segment.buffer());
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            whole.release();
            throw e;
        }
        return whole;
    }
}
