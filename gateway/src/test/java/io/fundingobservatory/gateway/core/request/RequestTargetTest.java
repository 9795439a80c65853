package io.fundingobservatory.gateway.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of RFC 9112 §3.2. */
class RequestTargetTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "/,                                  /,              none",
                "/api/v1/latest,                     /api/v1/latest, none",
                "/api/v1/latest?,                    /api/v1/latest, ''",
                "/api/v1/latest?venues=okx&assets=A, /api/v1/latest, venues=okx&assets=A",
                "/a?b?c,                             /a,             b?c",
                "/a?b=c%,                            /a,             b=c%",
                "/a?b=%zz,                           /a,             b=%zz",
                "/%41%ff?x=%2C,                      /%41%ff,        x=%2C",
                "//a,                                //a,            none",
                "http://a.example/b?c,               /b,             c",
                "HTTPS://a.example:443/b,            /b,             none",
                "http://a.example,                   /,              none",
                "http://a.example?c,                 /,              c",
            })
    void keepsPathAndQueryAsSent(String target, String path, String query) {
        assertEquals(new RequestTarget(path, query), RequestTarget.of("GET", target));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "a",
                "a.example:443",
                "http://",
                "http:///a",
                "ftp://a.example/b",
                "/a b",
                "/a#b",
                "/a|b",
                "/a\\b",
                "/\u00e4",
                "/<script>",
                "/%",
                "/%4",
                "/%zz",
                "/%\uff14\uff11",
                "/a?\"b\""
            })
    void whatIsNoTargetIsNone(String target) {
        assertNull(RequestTarget.of("GET", target));
    }

    @Test
    void asteriskTargetIsForOptionsOnly() {
        assertEquals(new RequestTarget("*", null), RequestTarget.of("OPTIONS", "*"));
    }
}
