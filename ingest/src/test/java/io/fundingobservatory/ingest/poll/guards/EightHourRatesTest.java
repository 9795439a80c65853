package io.fundingobservatory.ingest.poll.guards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EightHourRatesTest {
    @Test
    void contractsOfOneAssetHaveTheirMedian() {
        Map<String, Double> rates = EightHourRates.byAsset(List.of(
                quote("1000PEPE", "0.0001", "8"),
                quote("kPEPE", "0.0003", "8"),
                quote("XBT", "0.00025", "1"),
                quote("1INCH", "0.5", null)));
        assertEquals(Map.of("PEPE", 0.0002, "BTC", 0.002), rates);
    }

    private static Quote quote(String base, String rate, @Nullable String hours) {
        return new Quote(
                "kraken",
                base + "USD",
                base,
                "USD",
                ContractType.LINEAR,
                null,
                null,
                new BigDecimal(rate),
                RateUnit.FRACTION,
                hours == null ? null : new BigDecimal(hours),
                RateKind.ESTIMATE,
                null,
                null,
                null,
                null,
                null,
                null,
                0);
    }
}
