package io.fundingobservatory.gateway.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.topics.records.Rate;
import org.junit.jupiter.api.Test;

class SharedValuesTest {
    /** 300 s of lists of 25,000 rows would hold 125,000 symbols. */
    @Test
    void rowsOfContractShareNamesAndSymbol() throws Exception {
        byte[] record = Rate.CODEC.encode(Samples.rate("okx", "BTC-USDT-SWAP", "BTC", 1_000));
        Rate decoded = Rate.CODEC.decode(record);
        Rate later = Rate.CODEC.decode(record);
        assertNotSame(decoded.symbol(), later.symbol());
        var shared = new SharedValues();
        Rate first = shared.in(decoded);
        Rate second = shared.in(later);
        assertEquals(decoded, first);
        assertEquals(first, second);
        assertSame(first.symbol(), second.symbol());
        assertSame(first.venue(), second.venue());
        assertSame(first.asset(), second.asset());
        assertSame(first.priceScale(), second.priceScale());
    }
}
