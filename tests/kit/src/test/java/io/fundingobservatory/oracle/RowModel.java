package io.fundingobservatory.oracle;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expected row of one quote. It follows the interface, §2 (rate per 8 hours, interval unmodified, prices
 * with their scale) and the published rounding rules. A quotient is exact where it ends, else it has 18
 * decimals, half-even; a product has 40. The model computes in fractions of integers.
 */
public final class RowModel {
    private static final BigInteger TEN = BigInteger.TEN;
    private static final int ENDLESS = 18;
    private static final int PRODUCT = 40;

    private RowModel() {}

    /** The row of a quote; null for one that says more than 1000 % of notional and must be refused. */
    public static @Nullable Map<String, @Nullable Object> of(Map<String, @Nullable Object> quote, Names.Asset asset) {
        BigDecimal hours = (BigDecimal) quote.get("rate_hours");
        BigDecimal interval = (BigDecimal) quote.get("interval_h");
        Ratio published = published(quote);
        Ratio eight =
                published == null || hours == null ? null : published.times(8).over(hours);
        Ratio own = published == null
                ? null
                : hours == null
                        ? published
                        : interval == null ? null : published.times(interval).over(hours);
        BigDecimal per8h = eight == null ? null : eight.decimal();
        BigDecimal known = per8h != null ? per8h : own == null ? null : own.decimal();
        if (known != null && known.abs().compareTo(BigDecimal.TEN) > 0) {
            return null;
        }
        var row = new LinkedHashMap<String, @Nullable Object>();
        row.put("venue", quote.get("venue"));
        row.put("symbol", quote.get("symbol"));
        row.put("asset", asset.name());
        row.put("quote", quote.get("quote"));
        row.put("contract_type", quote.get("contract_type"));
        row.put("asset_class", quote.get("asset_class"));
        row.put("dex", quote.get("dex"));
        row.put("funding_rate_8h", per8h);
        row.put("funding_interval_h", interval);
        row.put("funding_interval_source", quote.get("interval_source"));
        row.put("funding_rate", own == null ? null : own.decimal());
        row.put("rate_kind", quote.get("rate_kind"));
        row.put("funding_rate_annualised", per8h == null ? null : per8h.multiply(BigDecimal.valueOf(3 * 365)));
        row.put("funding_cap_8h", bound(quote, "rate_cap"));
        row.put("funding_floor_8h", bound(quote, "rate_floor"));
        row.put("next_funding_ms", quote.get("next_funding_ms"));
        row.put("mark_price", quote.get("mark_price"));
        row.put("index_price", quote.get("index_price"));
        row.put("price_scale", asset.priceScale());
        row.put("venue_time_ms", quote.get("venue_time_ms"));
        row.put("observed_at_ms", quote.get("observed_at_ms"));
        return row;
    }

    /** A published bound of the rate per 8 hours: in its unit, over its hours. */
    private static @Nullable BigDecimal bound(Map<String, @Nullable Object> quote, String field) {
        BigDecimal hours = (BigDecimal) quote.get("rate_hours");
        Ratio bound = published(quote, (BigDecimal) quote.get(field));
        return bound == null || hours == null
                ? null
                : bound.times(8).over(hours).decimal();
    }

    /** The published rate as a fraction of notional over the hours that it covers. */
    private static @Nullable Ratio published(Map<String, @Nullable Object> quote) {
        return published(quote, (BigDecimal) quote.get("rate"));
    }

    private static @Nullable Ratio published(Map<String, @Nullable Object> quote, @Nullable BigDecimal value) {
        if (value == null) {
            return null;
        }
        Ratio rate = Ratio.of(value);
        BigDecimal index = (BigDecimal) quote.get("index_price");
        BigDecimal mark = (BigDecimal) quote.get("mark_price");
        return switch ((String) quote.get("rate_unit")) {
            case "fraction" -> rate;
            case "percent" -> rate.over(BigDecimal.valueOf(100));
            case "quote_per_coin_at_index" -> index == null ? null : rate.over(index);
            case "quote_per_coin_at_mark" ->
                mark == null ? null : Ratio.of(rate.over(mark).decimal());
            case "coin_per_quote_at_index" -> index == null ? null : Ratio.of(product(value, index));
            case null, default -> throw new IllegalArgumentException("unit " + quote.get("rate_unit"));
        };
    }

    private static BigDecimal product(BigDecimal a, BigDecimal b) {
        BigDecimal exact = a.multiply(b);
        return exact.scale() <= PRODUCT ? exact : exact.setScale(PRODUCT, RoundingMode.HALF_EVEN);
    }

    /** Fields in which two rows differ in value: numbers by value, whatever their spelling. */
    public static @Nullable String difference(
            Map<String, @Nullable Object> expected, Map<String, @Nullable Object> row) {
        for (var field : expected.entrySet()) {
            Object is = row.get(field.getKey());
            Object wanted = field.getValue();
            boolean same = wanted instanceof BigDecimal number && is instanceof BigDecimal other
                    ? number.compareTo(other) == 0
                    : java.util.Objects.equals(wanted, is);
            if (!same || !row.containsKey(field.getKey())) {
                return field.getKey() + " is " + is + ", not " + wanted;
            }
        }
        for (String field : row.keySet()) {
            if (!expected.containsKey(field)) {
                return field + " is no field of a row";
            }
        }
        return null;
    }

    private record Ratio(BigInteger over, BigInteger under) {
        static Ratio of(BigDecimal value) {
            return value.scale() >= 0
                    ? new Ratio(value.unscaledValue(), TEN.pow(value.scale()))
                    : new Ratio(value.toBigIntegerExact(), BigInteger.ONE);
        }

        Ratio times(long whole) {
            return new Ratio(over.multiply(BigInteger.valueOf(whole)), under);
        }

        Ratio times(BigDecimal value) {
            Ratio other = of(value);
            return new Ratio(over.multiply(other.over), under.multiply(other.under));
        }

        Ratio over(BigDecimal value) {
            Ratio other = of(value);
            BigInteger sign = BigInteger.valueOf(other.over.signum());
            return new Ratio(
                    over.multiply(other.under).multiply(sign),
                    under.multiply(other.over).multiply(sign));
        }

        /** Exact where its denominator, in lowest terms, has no factor but 2 and 5; else 18 decimals, half to the even one. */
        BigDecimal decimal() {
            BigInteger common = over.gcd(under);
            BigInteger rest = under.divide(common);
            BigInteger numerator = over.divide(common);
            int scale = 0;
            while (!rest.equals(BigInteger.ONE)) {
                BigInteger shared = rest.gcd(TEN);
                if (shared.equals(BigInteger.ONE)) {
                    return new BigDecimal(over).divide(new BigDecimal(under), ENDLESS, RoundingMode.HALF_EVEN);
                }
                rest = rest.divide(shared);
                numerator = numerator.multiply(TEN.divide(shared));
                scale++;
            }
            return new BigDecimal(numerator, scale);
        }
    }
}
