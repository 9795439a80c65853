package io.fundingobservatory.ingest.poll.guards;

import io.fundingobservatory.topics.records.Quote;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A poll's rates per 8 hours by asset, about: good enough for comparing many of them with each other, and never shown. */
final class EightHourRates {
    private EightHourRates() {}

    /** Of several contracts of an asset the median. */
    static Map<String, Double> byAsset(List<Quote> quotes) {
        var all = new HashMap<String, List<Double>>();
        for (Quote quote : quotes) {
            Double rate = per8h(quote);
            if (rate != null) {
                all.computeIfAbsent(asset(quote.base()), a -> new ArrayList<>()).add(rate);
            }
        }
        var rates = new HashMap<String, Double>();
        all.forEach((asset, of) -> rates.put(
                asset,
                LogRatios.median(of.stream().mapToDouble(Double::doubleValue).toArray())));
        return rates;
    }

    /** A coin's name without the multiplier that stands before it. */
    static String asset(String base) {
        String plain = base.replaceFirst("^(10+|k(?=[A-Z])|1[KM](?=[A-Z]))", "").toUpperCase(Locale.ROOT);
        return plain.isEmpty() ? base : plain.equals("XBT") ? "BTC" : plain;
    }

    private static @Nullable Double per8h(Quote quote) {
        BigDecimal hours = quote.rateHours();
        if (hours == null || hours.signum() <= 0) {
            return null;
        }
        double index = price(quote.indexPrice());
        double fraction = quote.rate().doubleValue()
                * switch (quote.rateUnit()) {
                    case FRACTION -> 1;
                    case PERCENT -> 0.01;
                    case QUOTE_PER_COIN_AT_INDEX -> 1 / index;
                    case QUOTE_PER_COIN_AT_MARK -> 1 / price(quote.markPrice());
                    case COIN_PER_QUOTE_AT_INDEX -> index;
                };
        double rate = fraction * 8 / hours.doubleValue();
        return Double.isFinite(rate) ? rate : null;
    }

    private static double price(@Nullable BigDecimal price) {
        return price == null ? Double.NaN : price.doubleValue();
    }
}
