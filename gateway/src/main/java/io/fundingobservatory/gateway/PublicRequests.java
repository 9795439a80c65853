package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.traffic.Address;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands behind the HTTP decoder and answers every request at once: the answers are prepared, there is nothing to wait for. */
final class PublicRequests extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(PublicRequests.class);

    private final GuardedConnection connection;
    private final Connections connections;
    private final Replies replies;

    PublicRequests(GuardedConnection connection, Connections connections, Replies replies) {
        this.connection = connection;
        this.connections = connections;
        this.replies = replies;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            Address peer = connection.peer();
            if (message instanceof HttpRequest request && peer != null && !connection.ended()) {
                answer(context, request, peer);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void answer(ChannelHandlerContext context, HttpRequest request, Address peer) {
        int status = RequestForm.status(request);
        if (status != RequestForm.RIGHT) {
            connection.refuse(status, Refusal.MALFORMED);
            return;
        }
        FullHttpResponse response = replies.answer(request, peer);
        boolean last = !HttpUtil.isKeepAlive(request) || connections.draining();
        if (last) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        ChannelFuture written = context.write(response);
        if (last) {
            connection.endAfter(written);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            // The client is gone.
            Future<?> _ = context.close();
        } else {
            LOG.error("a request failed", cause);
            connection.refuse(500, Refusal.FAILED);
        }
    }
}
