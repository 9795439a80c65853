package io.fundingobservatory.gateway;

import io.fundingobservatory.gateway.core.Answer;
import io.fundingobservatory.gateway.core.Ask;
import io.fundingobservatory.gateway.core.Content;
import io.fundingobservatory.gateway.core.HttpDate;
import io.fundingobservatory.gateway.core.Site;
import io.fundingobservatory.gateway.core.Snapshot;
import io.fundingobservatory.gateway.settings.GatewaySettings;
import io.fundingobservatory.gateway.tables.GatewayService;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.Callers;
import io.fundingobservatory.gateway.traffic.TrafficShape;
import io.fundingobservatory.gateway.traffic.Verdict;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries requests to the site and its answers back, without copying the prepared bytes. */
@Singleton
final class Replies {
    private static final Logger ACCESS = LoggerFactory.getLogger("access");
    private static final Set<String> SHOWN_METHODS =
            Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "-");
    private static final int CONNECTIONS_RETRY_S = 10;
    private static final String ALL_CONNECTIONS = "all connections are taken at the moment";
    private static final String BUSY_SENDING =
            "too many large answers are being sent; asked for with Accept-Encoding: gzip it is small enough";

    private final InstantSource clock = InstantSource.system();
    private final DirectBytes bytes = new DirectBytes();
    private final HttpDate date = new HttpDate();
    private final Site site;
    private final GatewayService service;
    private final TrafficShape traffic;
    private final Callers callers;
    private final PublicMeters meters;
    private final boolean accessLog;

    Replies(
            Site site,
            GatewayService service,
            TrafficShape traffic,
            Callers callers,
            GatewaySettings settings,
            PublicMeters meters) {
        this.site = site;
        this.service = service;
        this.traffic = traffic;
        this.callers = callers;
        this.meters = meters;
        this.accessLog = settings.accessLog();
    }

    /** Answers one well-formed request. */
    FullHttpResponse answer(HttpRequest request, Address peer) {
        long startedNs = System.nanoTime();
        Ask ask = ask(request);
        HttpHeaders fields = request.headers();
        Address client = callers.client(peer, fields.getAll("Forwarded"), fields.getAll("X-Forwarded-For"));
        Snapshot snapshot = service.current();
        Verdict verdict = traffic.admit(client, site.weigh(ask, snapshot), startedNs / 1_000);
        Answer answer = switch (verdict) {
            case Verdict.Admitted admitted -> site.answer(ask, snapshot);
            case Verdict.Refused refused -> {
                meters.refused(refused.shape() == Verdict.Shape.SWEEP ? Refusal.SWEEP : Refusal.VOLUME);
                yield site.refuse(refused, ask.nowMs(), snapshot);
            }
        };
        boolean bare = answer.pieces().isEmpty() || ask.method().equals("HEAD");
        ByteBuf body = bare ? Unpooled.EMPTY_BUFFER : bytes.of(answer.pieces());
        if (body == null) {
            meters.refused(Refusal.MEMORY);
            answer = site.busy(BUSY_SENDING, ask.nowMs(), snapshot);
            body = wrapped(answer.pieces());
        }
        FullHttpResponse response = response(ask, answer, body);
        AddressLabel address = AddressLabel.of(ask.path(), answer.status());
        long tookNs = System.nanoTime() - startedNs;
        meters.answered(address, answer.status(), tookNs);
        if (accessLog) {
            String shape = verdict instanceof Verdict.Refused refused
                    ? refused.shape().name().toLowerCase(Locale.ROOT)
                    : "admitted";
            log(client, ask.method(), address.shown(ask.path()), answer, tookNs / 1_000, shape);
        }
        return response;
    }

    private Ask ask(HttpRequest request) {
        HttpHeaders fields = request.headers();
        String method = request.method().name();
        Target target = Target.of(method, request.uri());
        return new Ask(
                method,
                target == null ? "" : target.path(),
                target == null ? null : target.query(),
                false,
                fields.getAll(HttpHeaderNames.IF_NONE_MATCH),
                fields.getAll(HttpHeaderNames.ACCEPT_ENCODING),
                clock.millis());
    }

    private static ByteBuf wrapped(List<byte[]> pieces) {
        return Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new));
    }

    private FullHttpResponse response(Ask ask, Answer answer, ByteBuf body) {
        HttpHeaders fields =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        fields.add(HttpHeaderNames.DATE, date.at(ask.nowMs()));
        answer.headers().forEach(fields::add);
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                body,
                fields,
                EmptyHttpHeaders.INSTANCE);
    }

    private static void log(
            @Nullable Address client, String method, String path, Answer answer, long micros, String shape) {
        ACCESS.info(
                "client={} method={} path={} status={} bytes={} micros={} shape={}",
                client == null ? "-" : client.prefix(),
                SHOWN_METHODS.contains(method) ? method : "OTHER",
                path,
                answer.status(),
                method.equals("HEAD") ? 0 : Content.length(answer.pieces()),
                micros,
                shape);
    }

    /** A refusal as it goes over the wire, the last answer of its connection. */
    ByteBuf lastWords(int status, @Nullable Address client) {
        long nowMs = clock.millis();
        Snapshot snapshot = service.current();
        Answer answer = switch (status) {
            case 429 ->
                site.refuse(new Verdict.Refused(Verdict.Shape.CONNECTIONS, CONNECTIONS_RETRY_S), nowMs, snapshot);
            case 503 -> site.busy(ALL_CONNECTIONS, nowMs, snapshot);
            default -> site.refuse(status, nowMs, snapshot);
        };
        if (accessLog) {
            log(client, "-", AddressLabel.UNKNOWN.word(), answer, 0, "closed");
        }
        var head = new StringBuilder("HTTP/1.1 ")
                .append(HttpResponseStatus.valueOf(answer.status()))
                .append("\r\nDate: ")
                .append(date.at(nowMs))
                .append("\r\n");
        answer.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: close\r\n\r\n");
        List<byte[]> pieces = answer.pieces();
        return Unpooled.wrappedBuffer(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII), wrapped(pieces));
    }
}
