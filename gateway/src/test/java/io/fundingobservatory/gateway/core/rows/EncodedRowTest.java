package io.fundingobservatory.gateway.core.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.topics.records.Rate;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EncodedRowTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final Rate RATE = Samples.rate("okx", "BTC-USDT-SWAP", "BTC", NOW);

    @Test
    void servesBytesOfTableUnchanged() {
        byte[] stored = Rate.CODEC.encode(RATE);
        assertSame(stored, EncodedRow.stored(RATE, stored).json(), "no second copy of 25,000 rows");
    }

    /** A later release may write more fields than this one knows and describes. */
    @Test
    void whatWasWrittenOtherwiseIsWrittenAgain() throws Exception {
        byte[] written = Rate.CODEC.encode(RATE);
        byte[] stored = new String(written, StandardCharsets.UTF_8)
                .replace("{", "{\"new_field\": 1, ")
                .getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(
                written, EncodedRow.stored(Rate.CODEC.decode(stored), stored).json());
    }

    @Test
    void aRowThatGrowsStaleSaysSo() {
        EncodedRow fresh = EncodedRow.of(RATE);
        assertSame(fresh, fresh.asOf(NOW + Rate.STALE_AFTER_MS));
        EncodedRow stale = fresh.asOf(NOW + Rate.STALE_AFTER_MS + 1);
        assertNotSame(fresh, stale);
        assertTrue(new String(stale.json(), StandardCharsets.UTF_8).endsWith(",\"stale\":true}"));
        assertArrayEquals(fresh.json(), stale.asOf(NOW).json(), "by a clock that was set back");
    }
}
