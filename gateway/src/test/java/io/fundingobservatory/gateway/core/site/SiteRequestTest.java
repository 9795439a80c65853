package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of RFC 9112 §3.2. */
class SiteRequestTest {
    private static SiteRequest request(String method, String target) {
        return SiteRequest.of(method, target, List.of(), null, List.of(), 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/ / {}",
                "/api/v1/latest /api/v1/latest {}",
                "/api/v1/latest? /api/v1/latest {}",
                "/api/v1/latest?venues=okx&assets=A /api/v1/latest {venues=[okx],assets=[A]}",
                "/api/v1/latest?assets=%41%2CB /api/v1/latest {assets=[A,B]}",
                "/api/v1/latest?assets=A?B /api/v1/latest {assets=[A?B]}",
                "/%41%ff /%41%ff {}",
                "//a //a {}",
                "http://a.example/api/v1/latest?venues=okx /api/v1/latest {venues=[okx]}",
                "HTTPS://a.example:443/b /b {}",
                "http://a.example / {}",
                "http://a.example?c / {}",
                "/?utm_campaign=a|b{c}^`\\ / {}",
                "/api/v1/latest?utm_campaign=a|b&assets=A /api/v1/latest {assets=[A]}",
            })
    void keepsPathAndReadsQuery(String target, String path, String names) {
        assertEquals(path, SiteRequest.path(target));
        SiteRequest read = request("GET", target);
        assertEquals(path, read.path());
        assertTrue(read.hasTarget());
        assertNull(read.query().problem());
        assertEquals(names, read.query().names().toString().replace(", ", ","));
    }

    /** The parameter is named, which the reason for a target that is none would not do. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/latest?assets=c%", "/api/v1/latest?assets=%zz"})
    void badPercentSignIsProblemOfItsParameter(String target) {
        SiteRequest read = request("GET", target);
        assertTrue(read.hasTarget());
        assertTrue(read.query().problem().startsWith("the parameter assets has a percent sign"), read.toString());
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
                "/a{b}?c",
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
        assertEquals("", SiteRequest.path(target));
        assertFalse(request("GET", target).hasTarget());
        assertTrue(request("POST", target).hasTarget(), "it is refused for its method");
    }

    @Test
    void asteriskTargetIsForOptionsOnly() {
        assertTrue(request("OPTIONS", "*").hasTarget());
        assertFalse(request("HEAD", "*").hasTarget());
    }
}
