package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;

/** gzip is preferred only where the field names it or a wildcard. */
@Tag("fuzz")
class AcceptEncodingFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void aChosenCodingIsWelcome(byte[] field) {
        String text = new String(field, StandardCharsets.ISO_8859_1);
        boolean named = text.contains("*") || text.toLowerCase(Locale.ROOT).contains("gzip");
        assertTrue(!SiteRequest.prefersGzip(List.of(text)) || named, text);
    }
}
