package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Answer;
import io.fundingobservatory.gateway.core.Ask;
import io.fundingobservatory.gateway.core.Content;
import io.fundingobservatory.gateway.core.Site;
import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Callers;
import io.fundingobservatory.gateway.traffic.TrafficShape;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries requests to the site and its answers back, without copying the prepared bytes. */
@Singleton
final class Replies {
    private static final Logger ACCESS = LoggerFactory.getLogger("access");
    private static final InstantSource CLOCK = InstantSource.system();

    private final Site site;
    private final GatewayService service;
    private final TrafficShape traffic;
    private final Callers callers;
    private final boolean accessLog;
    private final Counter refusedForVolume;
    private final Counter refusedAsSweep;

    Replies(
            Site site,
            GatewayService service,
            TrafficShape traffic,
            Callers callers,
            GatewaySettings settings,
            MeterRegistry meters) {
        this.site = site;
        this.service = service;
        this.traffic = traffic;
        this.callers = callers;
        this.accessLog = settings.accessLog();
        this.refusedForVolume = refusals(meters, Verdict.Shape.VOLUME);
        this.refusedAsSweep = refusals(meters, Verdict.Shape.SWEEP);
    }

    private static Counter refusals(MeterRegistry meters, Verdict.Shape shape) {
        return Counter.builder("observatory.gateway.refused")
                .description("requests refused for the shape of their traffic")
                .tag("shape", shape.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    MutableHttpResponse<ByteBuf> answer(HttpRequest<?> request) {
        long startedNs = System.nanoTime();
        Ask ask = ask(request);
        Address client = client(request);
        Snapshot snapshot = service.current();
        Verdict verdict = traffic.admit(client, site.weigh(ask, snapshot), startedNs / 1_000);
        Answer answer = switch (verdict) {
            case Verdict.Admitted admitted -> site.answer(ask, snapshot);
            case Verdict.Refused refused -> {
                (refused.shape() == Verdict.Shape.SWEEP ? refusedAsSweep : refusedForVolume).increment();
                yield site.refuse(refused, ask.nowMs(), snapshot);
            }
        };
        if (accessLog) {
            log(ask, client, verdict, answer, startedNs);
        }
        return response(answer);
    }

    private static Ask ask(HttpRequest<?> request) {
        URI uri = request.getUri();
        HttpHeaders headers = request.getHeaders();
        String path = uri.getRawPath();
        boolean body = headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || headers.getFirst(HttpHeaders.CONTENT_LENGTH)
                        .filter(length -> !length.equals("0"))
                        .isPresent();
        return new Ask(
                request.getMethodName(),
                path == null ? "" : path,
                uri.getRawQuery(),
                body,
                headers.getAll(HttpHeaders.IF_NONE_MATCH),
                headers.getAll(HttpHeaders.ACCEPT_ENCODING),
                CLOCK.millis());
    }

    private Address client(HttpRequest<?> request) {
        HttpHeaders headers = request.getHeaders();
        return callers.client(
                Address.of(request.getRemoteAddress().getAddress()),
                headers.getAll(HttpHeaders.FORWARDED),
                headers.getAll("X-Forwarded-For"));
    }

    private void log(Ask ask, Address client, Verdict verdict, Answer answer, long startedNs) {
        long bytes = ask.method().equals("HEAD") ? 0 : Content.length(answer.pieces());
        ACCESS.info(
                "client={} method={} path={} status={} bytes={} micros={} shape={}",
                client.prefix(),
                ask.method(),
                // What is not served is not repeated: it may be anything.
                answer.status() == 404 ? "unknown" : ask.path(),
                answer.status(),
                bytes,
                (System.nanoTime() - startedNs) / 1_000,
                verdict instanceof Verdict.Refused refused
                        ? refused.shape().name().toLowerCase(Locale.ROOT)
                        : "admitted");
    }

    MutableHttpResponse<ByteBuf> refusal(int status) {
        return response(site.refuse(status, CLOCK.millis(), service.current()));
    }

    /** A refusal as it goes over the wire, the last answer of its connection. */
    ByteBuf lastWords(int status) {
        Answer answer = site.refuse(status, CLOCK.millis(), service.current());
        var head = new StringBuilder("HTTP/1.1 ")
                .append(answer.status())
                .append(' ')
                .append(HttpResponseStatus.valueOf(answer.status()).reasonPhrase())
                .append("\r\n");
        answer.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: close\r\n\r\n");
        return Unpooled.wrappedBuffer(
                Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII),
                Unpooled.wrappedBuffer(answer.pieces().toArray(byte[][]::new)));
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
