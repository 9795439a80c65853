package io.fundingobservatory.gateway.http;

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
import java.io.OutputStream;

/** Hands prepared bytes to the socket as they are: no request copies them. */
@Singleton
record PreparedBodyWriter(SharedBytes bytes) implements ResponseBodyWriter<PreparedBody> {
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

    /** For bodies that are written to streams: this port has none. */
    @Override
    public void writeTo(
            Argument<PreparedBody> type,
            MediaType mediaType,
            PreparedBody body,
            MutableHeaders headers,
            OutputStream out) {
        throw new UnsupportedOperationException("a prepared body is sent as buffers");
    }
}
