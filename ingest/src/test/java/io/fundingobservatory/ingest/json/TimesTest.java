package io.fundingobservatory.ingest.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Times as venues write them, and numbers that are none. */
class TimesTest {
    private static JsonValue row(String time) throws IOException {
        return JsonValue.parse("{\"t\":%s}".formatted(time).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void timeBeyondFourDigitYearsIsUnreadable() throws IOException {
        assertEquals(253_402_300_799_999L, row("253402300799999").millis("t"));
        for (String beyond : new String[] {"253402300800000", "9223372036854775807"}) {
            JsonValue row = row(beyond);
            assertEquals(
                    "unreadable_t",
                    assertThrows(Skip.class, () -> row.millis("t")).getMessage());
        }
        JsonValue inMillis = row("1790006400000");
        assertEquals(
                "unreadable_t",
                assertThrows(Skip.class, () -> inMillis.seconds("t")).getMessage(),
                "milliseconds are no seconds");
    }
}
