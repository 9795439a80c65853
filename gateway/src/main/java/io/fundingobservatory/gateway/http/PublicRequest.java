package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.RequestTarget;
import io.fundingobservatory.gateway.core.request.SiteRequest;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.traffic.Address;
import io.netty.channel.Channel;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * A request that the filter has read, with the one snapshot from which it is priced and gets its response.
 *
 * @param snapshot what is served now; null until the first complete snapshot
 * @param keepAliveRequested whether it requests, in HTTP/1.0, that its connection be kept
 */
record PublicRequest(
        Address client,
        SiteRequest siteRequest,
        @Nullable Snapshot snapshot,
        boolean keepAliveRequested,
        Channel connection) {
    /** The attribute of a request that holds it for the route. */
    static final String ATTRIBUTE = "observatory.request";

    /** A weekday in full, as RFC 850 has it; the parser throws beyond 64 characters. */
    private static final int LONGEST_DATE = "Wednesday, 06-Nov-94 08:49:37 GMT".length();

    static SiteRequest read(HttpRequest message, RequestTarget target, long nowMs, int mostNames) {
        HttpHeaders fields = message.headers();
        return SiteRequest.of(
                message.method().name(),
                target.path(),
                target.query(),
                fields.getAll(HttpHeaderNames.IF_NONE_MATCH),
                date(fields.get(HttpHeaderNames.IF_MODIFIED_SINCE)),
                fields.getAll(HttpHeaderNames.ACCEPT_ENCODING),
                nowMs,
                mostNames);
    }

    /** A date in one of the three forms that a server has to read (RFC 9110 §5.6.7), epoch ms UTC; null for anything else. */
    @SuppressWarnings("JavaUtilDate") // Netty's parser returns it
    private static @Nullable Long date(@Nullable String field) {
        Date date = field == null || field.length() > LONGEST_DATE ? null : DateFormatter.parseHttpDate(field);
        return date == null ? null : date.getTime();
    }

    /** Whether a message is of HTTP/1.0 and wants its connection to be kept, which the response then has to confirm. */
    static boolean keepsAlive(HttpRequest message) {
        return !message.protocolVersion().isKeepAliveDefault() && HttpUtil.isKeepAlive(message);
    }

    /** What its response has to confirm of its connection; null where nothing. */
    @Nullable
    AsciiString connectionField() {
        return keepAliveRequested ? HttpHeaderValues.KEEP_ALIVE : null;
    }
}
