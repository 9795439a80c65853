package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.topics.normalisation.AssetNames;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rates of one poll per 8 hours, by asset, converted exactly. They are floating-point numbers, since logarithms
 * compare them and none is published.
 */
final class EightHourRates {
    private static final BigDecimal HALF = new BigDecimal("0.5");

    private EightHourRates() {}

    /** Returns the rate of each asset; of several contracts of an asset the median. */
    static Map<String, Double> byAsset(List<Quote> quotes) {
        var all = new HashMap<String, List<BigDecimal>>();
        for (Quote quote : quotes) {
            BigDecimal rate = RateConversion.per8h(quote);
            if (rate != null) {
                String asset = AssetNames.of(quote.venue(), quote.base()).asset();
                all.computeIfAbsent(asset, a -> new ArrayList<>()).add(rate);
            }
        }
        var rates = new HashMap<String, Double>();
        all.forEach((asset, of) -> rates.put(asset, median(of).doubleValue()));
        return rates;
    }

    private static BigDecimal median(List<BigDecimal> rates) {
        rates.sort(null);
        int half = rates.size() / 2;
        return rates.size() % 2 == 1
                ? rates.get(half)
                : rates.get(half - 1).add(rates.get(half)).multiply(HALF);
    }
}
