package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Answer;
import io.fundingobservatory.gateway.core.Site;
import io.fundingobservatory.gateway.tables.GatewayService;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;

/** What the management port refuses gets the same envelope as every other answer: JSON, no trace, nothing echoed. */
@Singleton
final class EveryError implements ErrorResponseProcessor<byte[]> {
    private final Site site;
    private final GatewayService service;

    EveryError(Site site, GatewayService service) {
        this.site = site;
        this.service = service;
    }

    @Override
    public MutableHttpResponse<byte[]> processResponse(ErrorContext error, MutableHttpResponse<?> response) {
        Answer answer = site.refuse(response.code(), InstantSource.system().millis(), service.current());
        var body = new ByteArrayOutputStream();
        answer.pieces().forEach(body::writeBytes);
        MutableHttpResponse<byte[]> refusal = HttpResponse.status(HttpStatus.valueOf(answer.status()));
        answer.headers().forEach(refusal::header);
        return refusal.body(body.toByteArray());
    }
}
