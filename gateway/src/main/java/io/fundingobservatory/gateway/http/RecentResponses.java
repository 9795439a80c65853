package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.netty.NettyHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the responses that requests have in common: prepared contents, and refusals. They are equal for a second, because {@code Date},
 * {@code Cache-Control} and {@code Retry-After} count in seconds. Adding and encoding eleven fields as strings takes 2 µs, and the body of a
 * refusal would be written for each. No snapshot is kept here.
 */
@Singleton
final class RecentResponses {
    /** Of a second; further ones are made for each request. */
    private static final int MOST = 64;

    private volatile Second last = new Second(Long.MIN_VALUE, 0, Map.of());

    /** The responses of a second and of the snapshot of a time, by what they respond to. */
    private record Second(long number, long snapshotMs, Map<Object, Recent> kept) {}

    /**
     * A response: its status, its fields as the encoder copies them, and its body.
     *
     * @param body empty where the body belongs to a prepared content
     */
    record Recent(int status, HttpHeaders fields, List<Segment> body) {
        /** Of a response at an instant, epoch ms UTC. */
        static Recent of(SiteResponse response, long nowMs) {
            HttpHeaders fields = DefaultHttpHeadersFactory.headersFactory()
                    .withValidation(false)
                    .newHeaders();
            fields.add(HttpHeaderNames.DATE, new AsciiString(SiteResponse.date(nowMs)));
            response.headers().forEach((name, value) -> fields.add(AsciiString.cached(name), new AsciiString(value)));
            return new Recent(response.status(), fields, response.body());
        }

        /** The response without its body, with one more field where there is a value for {@code Connection}. */
        <B> MutableHttpResponse<B> response(@Nullable AsciiString connection) {
            MutableHttpResponse<B> response = HttpResponse.status(HttpStatus.valueOf(status));
            HttpHeaders headers = ((NettyHttpHeaders) response.getHeaders()).getNettyHeaders();
            headers.add(fields);
            if (connection != null) {
                headers.add(HttpHeaderNames.CONNECTION, connection);
            }
            return response;
        }
    }

    /** The response with a key at an instant, epoch ms UTC; made where it is not kept. */
    Recent of(Object key, @Nullable Snapshot snapshot, long nowMs, Supplier<SiteResponse> made) {
        long number = Math.floorDiv(nowMs, 1_000L);
        long snapshotMs = snapshot == null ? 0 : snapshot.generatedAtMs();
        Second second = last;
        if (second.number() != number || second.snapshotMs() != snapshotMs) {
            second = new Second(number, snapshotMs, new ConcurrentHashMap<>());
            last = second;
        }
        Recent recent = second.kept().get(key);
        if (recent == null) {
            recent = Recent.of(made.get(), nowMs);
            if (second.kept().size() < MOST) {
                second.kept().put(key, recent);
            }
        }
        return recent;
    }
}
