package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.RequestTarget;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells whether a decoded message is plainly one request without a body; what is not is refused, and its connection closed. */
final class RequestValidator {
    static final int OK = 0;
    private static final int FIELDS = 64;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]{2,45}])(:\\d{0,5})?");

    private RequestValidator() {}

    /**
     * The status to refuse it with, or {@link #OK}.
     *
     * @param http2 whether it came over HTTP/2, where the codec has checked the fields that stand for the request line
     */
    static int status(HttpRequest request, boolean http2) {
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return 505;
        }
        HttpHeaders headers = request.headers();
        if (headers.size() > FIELDS) {
            return 431;
        }
        if (!oneHost(headers.getAll(HttpHeaderNames.HOST), http2 || version.equals(HttpVersion.HTTP_1_0))) {
            return 400;
        }
        boolean reading = READING.contains(request.method().name());
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean body = (headers.contains(HttpHeaderNames.TRANSFER_ENCODING) && !http2)
                || lengths.size() > 1
                || (lengths.size() == 1 && !lengths.getFirst().equals("0"));
        if (body) {
            return reading ? 400 : 405;
        }
        return reading && RequestTarget.of(request.method().name(), request.uri()) == null ? 400 : OK;
    }

    private static boolean oneHost(List<String> hosts, boolean mayBeLeftOut) {
        return hosts.isEmpty()
                ? mayBeLeftOut
                : hosts.size() == 1 && HOST.matcher(hosts.getFirst()).matches();
    }
}
