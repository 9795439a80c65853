package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Answer;
import io.fundingobservatory.gateway.core.Ask;
import io.fundingobservatory.gateway.core.Site;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.HttpStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;

/** Carries requests to the site and its answers back, without copying the prepared bytes. */
@Singleton
final class Replies {
    private static final InstantSource CLOCK = InstantSource.system();

    private final Site site;
    private final GatewayService service;

    Replies(Site site, GatewayService service) {
        this.site = site;
        this.service = service;
    }

    MutableHttpResponse<ByteBuf> answer(HttpRequest<?> request) {
        URI uri = request.getUri();
        HttpHeaders headers = request.getHeaders();
        String path = uri.getRawPath();
        boolean body = headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || headers.getFirst(HttpHeaders.CONTENT_LENGTH).filter(length -> !length.equals("0")).isPresent();
        return response(site.answer(
                new Ask(
                        request.getMethodName(),
                        path == null ? "" : path,
                        uri.getRawQuery(),
                        body,
                        headers.getAll(HttpHeaders.IF_NONE_MATCH),
                        headers.getAll(HttpHeaders.ACCEPT_ENCODING),
                        CLOCK.millis()),
                service.current()));
    }

    MutableHttpResponse<ByteBuf> refusal(int status) {
        return response(site.refuse(status, CLOCK.millis(), service.current()));
    }

    private static MutableHttpResponse<ByteBuf> response(Answer answer) {
        MutableHttpResponse<ByteBuf> response = HttpResponse.status(HttpStatus.valueOf(answer.status()));
        answer.headers().forEach(response::header);
        if (!answer.pieces().isEmpty()) {
            response.body(Unpooled.wrappedBuffer(answer.pieces().toArray(byte[][]::new)));
        }
        return response;
    }
}
