package io.fundingobservatory.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Set;

/** Stands behind the HTTP decoder: a request that is not plainly one request without a body is refused, and its connection closed. */
final class GuardedRequests extends ChannelInboundHandlerAdapter {
    private static final int FIELDS = 64;
    private static final int RIGHT = 0;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final GuardedConnection connection;

    GuardedRequests(GuardedConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        int status = message instanceof HttpRequest request ? status(request) : RIGHT;
        if (status != RIGHT) {
            ChannelHandlerContext before = context.pipeline().context(connection);
            if (before != null) {
                connection.refuse(before, status);
            }
        }
        if (connection.refused()) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    private static int status(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return switch (request.decoderResult().cause()) {
                case TooLongHttpLineException line -> 414;
                case TooLongHttpHeaderException field -> 431;
                case null, default -> 400;
            };
        }
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return 505;
        }
        HttpHeaders headers = request.headers();
        if (headers.size() > FIELDS) {
            return 431;
        }
        int hosts = headers.getAll(HttpHeaderNames.HOST).size();
        if (hosts > 1 || (hosts == 0 && version.equals(HttpVersion.HTTP_1_1))) {
            return 400;
        }
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean body = headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || lengths.size() > 1
                || (lengths.size() == 1 && !lengths.getFirst().equals("0"));
        return !body ? RIGHT : READING.contains(request.method().name()) ? 400 : 405;
    }
}
