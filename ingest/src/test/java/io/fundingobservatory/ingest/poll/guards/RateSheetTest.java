package io.fundingobservatory.ingest.poll.guards;

import static io.fundingobservatory.testbed.SampleRecords.fields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RateSheetTest {
    @Test
    void contractsOfOneAssetHaveTheirMedian() {
        Map<String, Double> rates = RateSheet.of(
                        List.of(
                                quote("1000PEPE", "0.0001", "8"),
                                quote("kPEPE", "0.0003", "8"),
                                quote("XBT", "0.00025", "1"),
                                quote("1INCH", "0.5", null)),
                        0)
                .rates();
        assertEquals(Set.of("PEPE", "BTC"), rates.keySet());
        assertEquals(0.0002, rates.get("PEPE"), 1e-12);
        assertEquals(0.002, rates.get("BTC"), 1e-12);
    }

    private static Quote quote(String base, String rate, @Nullable String hours) {
        return SampleRecords.quote(
                fields("venue", "kraken", "symbol", base + "USD", "base", base, "quote", "USD"),
                fields("contract_type", ContractType.LINEAR, "asset_class", null, "dex", null),
                fields("rate", new BigDecimal(rate), "rate_unit", RateUnit.FRACTION),
                fields("rate_hours", hours == null ? null : new BigDecimal(hours), "rate_kind", RateKind.ESTIMATE),
                fields("interval_h", null, "interval_source", null, "next_funding_ms", null, "mark_price", null),
                fields("index_price", null, "venue_time_ms", null, "observed_at_ms", 0));
    }
}
