package io.fundingobservatory.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestValidatorTest {
    private static HttpRequest request(String version, String method, String target, String... fields) {
        // Without the codec's own checks: what they let through is what stands before the validator.
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        var request = new DefaultHttpRequest(
                HttpVersion.valueOf(version), HttpMethod.valueOf(method), target, headers, false);
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return request;
    }

    private static final int OK = 0;

    private static int status(HttpRequest request, boolean http2) {
        return switch (RequestValidator.check(request, http2)) {
            case RequestValidator.Checked.Valid _ -> OK;
            case RequestValidator.Checked.Invalid(int status) -> status;
        };
    }

    private static int status(String version, String method, String target, String... fields) {
        return status(request(version, method, target, fields), false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a.example",
                "a.example:80",
                "a:",
                "192.0.2.1:8080",
                "[2001:db8::1]",
                "[2001:db8::1]:443",
                "a_b",
                "a%41"
            })
    void oneHostIsWanted(String host) {
        assertEquals(OK, status("HTTP/1.1", "GET", "/", "Host", host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "a@b", "a:80:80", "a:123456", "[2001:db8::1", "[a]x", "a#"})
    void whatIsNoHostIsRefused(String host) {
        assertEquals(400, status("HTTP/1.1", "GET", "/", "Host", host));
    }

    @Test
    void rejectsMissingAndRepeatedHost() {
        assertEquals(400, status("HTTP/1.1", "GET", "/"));
        assertEquals(400, status("HTTP/1.1", "GET", "/", "Host", "a", "Host", "a"));
        assertEquals(400, status("HTTP/1.0", "GET", "/", "Host", "a", "Host", "b"));
        assertEquals(OK, status("HTTP/1.0", "GET", "/"));
        assertEquals(OK, status(request("HTTP/1.1", "GET", "/"), true), "HTTP/2 has a field of its own for it");
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1, 0", "HTTP/1.0, 0", "HTTP/1.2, 505", "HTTP/2.0, 505", "HTTP/0.9, 505", "ICY/1.1, 505"})
    void versionsThatAreNotSpokenAreNamed(String version, int status) {
        assertEquals(status, status(version, "GET", "/", "Host", "a"));
    }

    @Test
    void sixtyFourFieldsAreTheMost() {
        HttpRequest request = request("HTTP/1.1", "GET", "/", "Host", "a");
        for (int i = 1; i < 64; i++) {
            request.headers().add("X-" + i, "");
        }
        assertEquals(OK, status(request, false));
        request.headers().add("X", "");
        assertEquals(431, status(request, false));
    }

    /** What changes something is 405 with or without a body, what reads has none. */
    @ParameterizedTest
    @CsvSource({"GET, 400", "HEAD, 400", "OPTIONS, 400", "POST, 405", "BREW, 405"})
    void noRequestHasABody(String method, int status) {
        assertEquals(status, status("HTTP/1.1", method, "/", "Host", "a", "Content-Length", "1"));
        assertEquals(status, status("HTTP/1.1", method, "/", "Host", "a", "Content-Length", "00"));
        assertEquals(
                status, status("HTTP/1.1", method, "/", "Host", "a", "Content-Length", "0", "Content-Length", "0"));
        assertEquals(status, status("HTTP/1.1", method, "/", "Host", "a", "Transfer-Encoding", "chunked"));
        assertEquals(OK, status("HTTP/1.1", method, "/", "Host", "a", "Content-Length", "0"), "none is none");
    }

    @Test
    void rejectsUnreadableTarget() {
        assertEquals(400, status("HTTP/1.1", "GET", "/a b", "Host", "a"));
        assertEquals(OK, status("HTTP/1.1", "POST", "/a b", "Host", "a"), "405 follows, whatever it names");
    }
}
