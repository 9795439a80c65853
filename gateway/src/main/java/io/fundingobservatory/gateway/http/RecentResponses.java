package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Coding;
import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.gateway.core.site.Priced;
import io.fundingobservatory.gateway.core.site.SiteResponse;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.netty.NettyHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import jakarta.inject.Singleton;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the header fields of the last prepared responses as the encoder copies them, one for each coding and for 304. They are equal
 * for a second: {@code Date} and {@code Cache-Control} count in seconds. Adding and encoding eleven fields as strings takes 2 µs. The
 * contents are not kept: a list that is served no more must not wait here for the next request in its coding.
 */
@Singleton
final class RecentResponses {
    private final AtomicReferenceArray<@Nullable Recent> last =
            new AtomicReferenceArray<>(2 * (Coding.values().length + 1));

    /** One of them: its status and fields. */
    record Recent(WeakReference<Content> content, long second, int status, HttpHeaders fields) {
        MutableHttpResponse<PreparedBody> response(boolean keepAlive) {
            MutableHttpResponse<PreparedBody> response = HttpResponse.status(HttpStatus.valueOf(status));
            HttpHeaders headers = ((NettyHttpHeaders) response.getHeaders()).getNettyHeaders();
            headers.add(fields);
            if (keepAlive) {
                headers.add(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
            }
            return response;
        }
    }

    /** The response of prepared content at an instant, epoch ms UTC; null when it is not kept. */
    @Nullable
    Recent of(Priced.Prepared prepared, long nowMs) {
        Recent recent = last.get(index(prepared));
        return recent != null && recent.content().refersTo(prepared.content()) && recent.second() == second(nowMs)
                ? recent
                : null;
    }

    /** Keeps a response for the rest of the second. */
    Recent keep(Priced.Prepared prepared, SiteResponse response, String date, long nowMs) {
        HttpHeaders fields =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        fields.add(HttpHeaderNames.DATE, new AsciiString(date));
        response.headers().forEach((name, value) -> fields.add(AsciiString.cached(name), new AsciiString(value)));
        var recent = new Recent(new WeakReference<>(prepared.content()), second(nowMs), response.status(), fields);
        last.set(index(prepared), recent);
        return recent;
    }

    private static int index(Priced.Prepared prepared) {
        int coding = switch (prepared.coding()) {
            case GZIP -> 1;
            case ZSTD -> 2;
            case null -> 0;
        };
        return 2 * coding + (prepared.unchanged() ? 1 : 0);
    }

    private static long second(long nowMs) {
        return Math.floorDiv(nowMs, 1_000L);
    }
}
