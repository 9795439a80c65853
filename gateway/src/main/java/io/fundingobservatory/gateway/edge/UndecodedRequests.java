package io.fundingobservatory.gateway.edge;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;

/**
 * Follows the HTTP/1 codec. A HEAD whose fields cannot be decoded gets the same response as a GET. The
 * framework builds an error body for other methods only, and the codec's encoder, which keeps the sent
 * method, leaves the body out. A header that ends with its connection is dropped: nobody reads a response to
 * it, and leaving is not malformed.
 */
@ChannelHandler.Sharable
final class UndecodedRequests extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request && request.decoderResult().isFailure()) {
            if (request.decoderResult().cause() instanceof PrematureChannelClosureException) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (request.method().equals(HttpMethod.HEAD)) {
                request.setMethod(HttpMethod.GET);
            }
        }
        context.fireChannelRead(message);
    }
}
