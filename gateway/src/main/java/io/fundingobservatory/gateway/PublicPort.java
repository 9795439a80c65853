package io.fundingobservatory.gateway;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import jakarta.inject.Singleton;

/** The bounds of a request, and no compression by the server: answers come compressed. Held here, so that no file forgets them. */
@Singleton
final class PublicPort implements BeanCreatedEventListener<NettyHttpServerConfiguration> {
    private static final int REQUEST_LINE_BYTES = 2_048;
    private static final int HEADER_BYTES = 8_192;

    @Override
    public NettyHttpServerConfiguration onCreated(BeanCreatedEvent<NettyHttpServerConfiguration> event) {
        NettyHttpServerConfiguration server = event.getBean();
        server.setCompressionThreshold(-1);
        server.setMaxInitialLineLength(REQUEST_LINE_BYTES);
        server.setMaxHeaderSize(HEADER_BYTES);
        return server;
    }
}
