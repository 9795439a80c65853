package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.request.RequestTarget;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks that a decoded message is plainly one request without a body; anything else is refused, and its connection closed. */
final class RequestValidator {
    private static final int FIELDS = 64;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]++|\\[[0-9A-Fa-f:.]{2,45}])(?::\\d{0,5})?");

    /** The target of a request that changes something, which is not read. */
    private static final Checked NO_TARGET = new Checked.Valid(new RequestTarget("", null));

    private RequestValidator() {}

    sealed interface Checked {
        record Valid(RequestTarget target) implements Checked {}

        record Invalid(int status) implements Checked {}
    }

    /**
     * Checks a message.
     *
     * @param http2 whether it came over HTTP/2, where the codec has checked the fields of the request line
     */
    static Checked check(HttpRequest request, boolean http2) {
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return new Checked.Invalid(505);
        }
        HttpHeaders headers = request.headers();
        if (headers.size() > FIELDS) {
            return new Checked.Invalid(431);
        }
        if (!oneHost(headers.getAll(HttpHeaderNames.HOST), http2 || version.equals(HttpVersion.HTTP_1_0))) {
            return new Checked.Invalid(400);
        }
        boolean reading = READING.contains(request.method().name());
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean body = (headers.contains(HttpHeaderNames.TRANSFER_ENCODING) && !http2)
                || lengths.size() > 1
                || (lengths.size() == 1 && !lengths.getFirst().equals("0"));
        if (body) {
            return new Checked.Invalid(reading ? 400 : 405);
        }
        RequestTarget target = RequestTarget.of(request.method().name(), request.uri());
        if (target != null) {
            return new Checked.Valid(target);
        }
        return reading ? new Checked.Invalid(400) : NO_TARGET;
    }

    private static boolean oneHost(List<String> hosts, boolean mayBeLeftOut) {
        return hosts.isEmpty()
                ? mayBeLeftOut
                : hosts.size() == 1 && HOST.matcher(hosts.getFirst()).matches();
    }
}
