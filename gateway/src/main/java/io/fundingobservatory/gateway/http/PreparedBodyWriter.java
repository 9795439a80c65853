package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.ByteBodyHttpResponseWrapper;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.http.netty.body.NettyByteBodyFactory;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Hands prepared bytes to the socket as they are: no request copies them. */
@Singleton
final class PreparedBodyWriter implements ResponseBodyWriter<PreparedBody> {
    private final SharedBytes bytes;

    PreparedBodyWriter(SharedBytes bytes) {
        this.bytes = bytes;
    }

    @Override
    public ByteBodyHttpResponse<?> write(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            MutableHttpResponse<PreparedBody> response,
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body) {
        return ByteBodyHttpResponseWrapper.wrap(
                response, writePiece(factory, request, response, type, mediaType, body));
    }

    @Override
    public CloseableByteBody writePiece(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            HttpResponse<?> response,
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body) {
        return ((NettyByteBodyFactory) factory).adapt(bytes.sent(body));
    }

    /** Required by the framework for bodies written to streams, which this port does not use. */
    @Override
    public void writeTo(
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body,
            MutableHeaders headers,
            OutputStream out) {
        try {
            for (Segment segment : body.segments()) {
                for (byte[] piece : segment.pieces()) {
                    out.write(piece);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
