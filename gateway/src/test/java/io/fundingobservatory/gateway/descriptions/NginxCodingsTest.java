package io.fundingobservatory.gateway.descriptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.site.SiteRequest;
import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The map from {@code Accept-Encoding} to a coding in the configuration of nginx: its regular expressions, tried in their order. */
class NginxCodingsTest {
    private static final Pattern LINE = Pattern.compile("\\s+\"?~\\*(.+?)\"?\\s+(\\w+|\"\");");

    private final Map<Pattern, String> codings = codings();

    private static Map<Pattern, String> codings() {
        var codings = new LinkedHashMap<Pattern, String>();
        try {
            boolean inMap = false;
            for (String line : Files.readAllLines(Checkout.ROOT.resolve("deploy/nginx/gateway.conf"))) {
                inMap = line.startsWith("map $http_accept_encoding") || (inMap && !line.startsWith("}"));
                Matcher matcher = LINE.matcher(line);
                if (inMap && matcher.matches()) {
                    codings.put(Pattern.compile(matcher.group(1), Pattern.CASE_INSENSITIVE), matcher.group(2));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return codings;
    }

    private String coding(String accepted) {
        return codings.entrySet().stream()
                .filter(entry -> entry.getKey().matcher(accepted).find())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                              | gzip",
                "gzip, deflate, br, zstd           | gzip",
                "zstd, br, gzip                    | gzip",
                "GZIP ; q=0.001                    | gzip",
                "x-gzip                            | gzip",
                "br;q=1.0, gzip;q=0.8, *;q=0       | gzip",
                "br;q=0, gzip                      | gzip",
                "zstd;q=0,gzip;q=1.000             | gzip",
                "gzip;q=0, zstd                    | ''",
                "zstd                              | ''",
                "gzip;q=0                          | ''",
                "zstd;q=0.0, gzip;q=0              | ''",
                "br                                | ''",
                "identity                          | ''",
                "notgzip, gzipped                  | ''",
                "''                                | ''",
            })
    void gzipIsForClientsThatAcceptIt(String accepted, String coding) {
        assertEquals(coding.equals("gzip"), coding(accepted).equals("gzip"));
    }

    @Test
    void noSpellingMakesAnotherKeyOfTheCache() {
        assertFalse(codings.isEmpty());
        for (String accepted :
                List.of("gzip;q=0.1", "zstd;q=0, a;q=0", "x;q=0", "gzip;q=0;x=1", "zstd;q=0.", "*;q=0")) {
            assertTrue(!coding(accepted).equals("gzip") || SiteRequest.prefersGzip(List.of(accepted)), accepted);
        }
    }
}
