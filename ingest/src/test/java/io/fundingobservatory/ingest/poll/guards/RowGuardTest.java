package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowGuardTest {
    private static final Quote GOOD = SampleRecords.quote();

    @ParameterizedTest
    @CsvSource({"mark_price, 0", "mark_price, -1", "index_price, 0", "index_price, -0.5"})
    void skipsRowWithoutPositivePrice(String field, BigDecimal price) {
        Quote wrong = Quote.CODEC.with(GOOD, field, price);
        RowGuard.Sorted sorted = RowGuard.sort(List.of(wrong, GOOD), GOOD.observedAtMs(), true);
        assertEquals(List.of(GOOD), sorted.passed());
        assertEquals(Map.of(RowGuard.PRICE_NOT_POSITIVE, 1L), sorted.refused());
    }
}
