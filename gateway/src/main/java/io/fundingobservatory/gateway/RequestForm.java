package io.fundingobservatory.gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells whether a decoded message is plainly one request without a body; what is not is refused, and its connection closed. */
final class RequestForm {
    static final int RIGHT = 0;
    static final int LINE_BYTES = 2_048;
    static final int HEADER_BYTES = 8_192;
    private static final int FIELDS = 64;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]{2,45}])(:\\d{0,5})?");

    private RequestForm() {}

    /** The status to refuse it with, or {@link #RIGHT}. */
    static int status(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return switch (request.decoderResult().cause()) {
                case TooLongHttpLineException line -> 414;
                case TooLongHttpHeaderException field -> 431;
                case null, default -> 400;
            };
        }
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return 505;
        }
        HttpHeaders headers = request.headers();
        if (headers.size() > FIELDS) {
            return 431;
        }
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        boolean oneHost = hosts.size() == 1
                ? HOST.matcher(hosts.getFirst()).matches()
                : hosts.isEmpty() && version.equals(HttpVersion.HTTP_1_0);
        if (!oneHost) {
            return 400;
        }
        boolean reading = READING.contains(request.method().name());
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean body = headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || lengths.size() > 1
                || (lengths.size() == 1 && !lengths.getFirst().equals("0"));
        if (body) {
            return reading ? 400 : 405;
        }
        return reading && Target.of(request.method().name(), request.uri()) == null ? 400 : RIGHT;
    }
}
