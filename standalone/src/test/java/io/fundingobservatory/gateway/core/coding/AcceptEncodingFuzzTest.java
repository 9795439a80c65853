package io.fundingobservatory.gateway.core.coding;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** A coding is chosen among those that are there, whatever the field says, and one that is chosen is a welcome one. */
@Tag("fuzz")
class AcceptEncodingFuzzTest {
    private static final Set<Coding> ALL = EnumSet.allOf(Coding.class);

    @FuzzTest(maxDuration = "1m")
    void aChosenCodingIsWelcome(byte[] field) {
        List<String> fields = List.of(new String(field, StandardCharsets.ISO_8859_1));
        Coding chosen = AcceptEncoding.choose(fields, ALL);
        assertTrue(chosen == null || AcceptEncoding.welcome(fields, chosen), () -> fields + " " + chosen);
    }
}
