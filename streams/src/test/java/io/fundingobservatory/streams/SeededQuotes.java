package io.fundingobservatory.streams;

import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Quotes drawn from a seed, and what an independent plain model derives from them: fractions of whole
 * numbers, one map, no store. A quote's symbol decides its name, so name and scale are known without the
 * rules under test.
 */
public final class SeededQuotes {
    private static final String[][] NAMES = {
        {"BTC", "BTC", "1"},
        {"XBT", "BTC", "1"},
        {"1000PEPE", "PEPE", "1000"},
        {"kBONK", "BONK", "1000"},
        {"1INCH", "1INCH", "1"},
        {"1000000MOG", "MOG", "1000000"},
        {"币安人生", "币安人生", "1"},
        {"4", "4", "1"},
        {"eth", "ETH", "1"}
    };
    private static final int[] HOURS = {1, 2, 4, 8, 24, 168};

    private final Random random;
    private final Map<String, Long> newest = new HashMap<>();

    public SeededQuotes(long seed) {
        this.random = new Random(seed);
    }

    /** A quote read at an instant, of one of some 400 contracts. */
    public Quote next(long observedAtMs) {
        String venue =
                ListedVenue.ALL.get(random.nextInt(ListedVenue.ALL.size())).id();
        int name = random.nextInt(NAMES.length);
        BigDecimal interval = random.nextInt(12) == 0 ? null : BigDecimal.valueOf(HOURS[random.nextInt(HOURS.length)]);
        BigDecimal covered = switch (random.nextInt(8)) {
            case 0 -> BigDecimal.valueOf(8);
            case 1 -> BigDecimal.valueOf(8760);
            default -> interval;
        };
        RateUnit unit = RateUnit.values()[random.nextInt(RateUnit.values().length)];
        return SampleRecords.quote(
                "venue",
                venue,
                "symbol",
                NAMES[name][0] + "-PERP",
                "base",
                NAMES[name][0],
                "quote",
                "USDT",
                "contract_type",
                ContractType.values()[random.nextInt(3)],
                "asset_class",
                null,
                "dex",
                null,
                "rate",
                decimal(12)
                        .multiply(BigDecimal.valueOf(random.nextInt(5) - 2))
                        .movePointLeft(unit == RateUnit.FRACTION ? 4 : 6),
                "rate_unit",
                unit,
                "rate_hours",
                covered,
                "rate_kind",
                RateKind.values()[random.nextInt(4)],
                "interval_h",
                interval,
                "interval_source",
                interval == null ? null : IntervalSource.values()[random.nextInt(4)],
                "next_funding_ms",
                random.nextBoolean() ? null : observedAtMs + random.nextInt(28_800_000),
                "mark_price",
                random.nextInt(6) == 0 ? null : decimal(14),
                "index_price",
                random.nextInt(6) == 0 ? null : decimal(14),
                "venue_time_ms",
                random.nextBoolean() ? null : observedAtMs - random.nextInt(5_000),
                "observed_at_ms",
                observedAtMs);
    }

    /** A quote of which one to three fields hold what none should: at a bound, beyond it, or nothing that a market knows. */
    public Quote odd(long observedAtMs) {
        Quote q = next(observedAtMs);
        for (int fields = 1 + random.nextInt(3); fields > 0; fields--) {
            int field = random.nextInt(10);
            boolean nameless = field == 1; // a market of no coin at a dex of its own
            q = SampleRecords.quote(
                    "venue",
                    nameless ? "hyperliquid" : q.venue(),
                    "symbol",
                    field == 0 ? oddText() : q.symbol(),
                    "base",
                    nameless ? "xyz:" : q.base(),
                    "quote",
                    field == 2 ? oddText() : q.quote(),
                    "contract_type",
                    q.contractType(),
                    "asset_class",
                    null,
                    "dex",
                    null,
                    "rate",
                    field == 3 ? oddDecimal() : q.rate(),
                    "rate_unit",
                    q.rateUnit(),
                    "rate_hours",
                    field == 4 ? oddDecimal() : q.rateHours(),
                    "rate_kind",
                    q.rateKind(),
                    "interval_h",
                    field == 5 && q.intervalH() != null ? oddDecimal() : q.intervalH(),
                    "interval_source",
                    q.intervalSource(),
                    "next_funding_ms",
                    field == 6 ? Long.valueOf(oddTime()) : q.nextFundingMs(),
                    "mark_price",
                    field == 7 ? oddDecimal() : q.markPrice(),
                    "index_price",
                    field == 8 ? oddDecimal() : q.indexPrice(),
                    "venue_time_ms",
                    q.venueTimeMs(),
                    "observed_at_ms",
                    field == 9 ? oddObserved(observedAtMs) : q.observedAtMs());
        }
        return q;
    }

    private String oddText() {
        return switch (random.nextInt(6)) {
            case 0 -> "x".repeat(126 + random.nextInt(5));
            case 1 -> "a\nb";
            case 2 -> "a\0b";
            case 3 -> "\ud83d";
            case 4 -> "\u2003";
            default -> "币|\"\\'<>&";
        };
    }

    private BigDecimal oddDecimal() {
        String digits = "9".repeat(1 + random.nextInt(64));
        return new BigDecimal(new BigInteger(random.nextInt(4) == 0 ? "-" + digits : digits), random.nextInt(130) - 65);
    }

    private long oddObserved(long aroundMs) {
        return random.nextBoolean() ? oddTime() : aroundMs + random.nextInt(1_200_000) - 600_000;
    }

    private long oddTime() {
        return switch (random.nextInt(4)) {
            case 0 -> Long.MIN_VALUE + 1;
            case 1 -> Long.MAX_VALUE;
            case 2 -> -random.nextLong(1_000_000);
            default -> random.nextLong();
        };
    }

    /** The first quote of a seed that nothing speaks against. */
    public static Quote plausible(long seed, long observedAtMs) {
        var source = new SeededQuotes(seed);
        return Stream.generate(() -> source.next(observedAtMs))
                .filter(quote -> exactly(quote) != null)
                .findFirst()
                .orElseThrow();
    }

    /** The asset of a symbol and the coins that one priced unit is; null for a symbol that was never drawn. */
    public static <A> @Nullable A assetOf(String symbol, BiFunction<String, BigDecimal, A> asset) {
        for (String[] name : NAMES) {
            if (symbol.equals(name[0] + "-PERP")) {
                return asset.apply(name[1], new BigDecimal(name[2]));
            }
        }
        return null;
    }

    /** The same contract and values, read at another instant. */
    public static Quote readAt(Quote q, long observedAtMs) {
        return SampleRecords.quote(
                "venue",
                q.venue(),
                "symbol",
                q.symbol(),
                "base",
                q.base(),
                "quote",
                q.quote(),
                "contract_type",
                q.contractType(),
                "asset_class",
                null,
                "dex",
                null,
                "rate",
                q.rate(),
                "rate_unit",
                q.rateUnit(),
                "rate_hours",
                q.rateHours(),
                "rate_kind",
                q.rateKind(),
                "interval_h",
                q.intervalH(),
                "interval_source",
                q.intervalSource(),
                "next_funding_ms",
                q.nextFundingMs(),
                "mark_price",
                q.markPrice(),
                "index_price",
                q.indexPrice(),
                "venue_time_ms",
                q.venueTimeMs(),
                "observed_at_ms",
                observedAtMs);
    }

    /** What has to come out for a quote that goes in now; null when it must change nothing. */
    public Rate expected(Quote quote) {
        Rate rate = exactly(quote);
        Long known = newest.get(quote.key().toString());
        if (rate == null || (known != null && known >= quote.observedAtMs())) {
            return null;
        }
        newest.put(quote.key().toString(), quote.observedAtMs());
        return rate;
    }

    /** The row of a quote, from fractions of whole numbers; null when it says more than 1000 % of notional. */
    public static Rate exactly(Quote q) {
        Ratio fraction = fraction(q);
        Ratio eight = fraction == null || q.rateHours() == null
                ? null
                : fraction.times(Ratio.of(8)).over(Ratio.of(q.rateHours()));
        Ratio own = fraction == null
                ? null
                : q.rateHours() == null
                        ? fraction
                        : q.intervalH() == null
                                ? null
                                : fraction.times(Ratio.of(q.intervalH())).over(Ratio.of(q.rateHours()));
        BigDecimal per8h = eight == null ? null : eight.decimal();
        if ((per8h == null ? own : eight) instanceof Ratio known
                && known.decimal().abs().compareTo(BigDecimal.TEN) > 0) {
            return null;
        }
        String[] name = java.util.Arrays.stream(NAMES)
                .filter(n -> n[0].equals(q.base()))
                .findFirst()
                .orElseThrow();
        return SampleRecords.rate(
                "venue",
                q.venue(),
                "symbol",
                q.symbol(),
                "asset",
                name[1],
                "quote",
                q.quote(),
                "contract_type",
                q.contractType(),
                "asset_class",
                null,
                "dex",
                null,
                "funding_rate_8h",
                per8h,
                "funding_interval_h",
                tidy(q.intervalH()),
                "funding_interval_source",
                q.intervalSource(),
                "funding_rate",
                own == null ? null : own.decimal(),
                "rate_kind",
                q.rateKind(),
                "funding_rate_annualised",
                per8h == null ? null : tidy(per8h.multiply(new BigDecimal(1095))),
                "funding_cap_8h",
                bound(q, q.rateCap()),
                "funding_floor_8h",
                bound(q, q.rateFloor()),
                "next_funding_ms",
                q.nextFundingMs(),
                "mark_price",
                tidy(q.markPrice()),
                "index_price",
                tidy(q.indexPrice()),
                "price_scale",
                new BigDecimal(name[2]),
                "venue_time_ms",
                q.venueTimeMs(),
                "observed_at_ms",
                q.observedAtMs(),
                "stale",
                false);
    }

    private static BigDecimal bound(Quote q, BigDecimal published) {
        Ratio fraction = published == null ? null : fraction(q, published);
        return fraction == null || q.rateHours() == null
                ? null
                : fraction.times(Ratio.of(8)).over(Ratio.of(q.rateHours())).decimal();
    }

    private static Ratio fraction(Quote q) {
        return fraction(q, q.rate());
    }

    private static Ratio fraction(Quote q, BigDecimal published) {
        Ratio rate = Ratio.of(published);
        return switch (q.rateUnit()) {
            case FRACTION -> rate;
            case PERCENT -> rate.over(Ratio.of(100));
            case QUOTE_PER_COIN_AT_INDEX -> q.indexPrice() == null ? null : rate.over(Ratio.of(q.indexPrice()));
            case QUOTE_PER_COIN_AT_MARK ->
                q.markPrice() == null
                        ? null
                        : Ratio.of(rate.over(Ratio.of(q.markPrice())).decimal());
            case COIN_PER_QUOTE_AT_INDEX ->
                q.indexPrice() == null ? null : Ratio.of(decimalsAtMost40(published.multiply(q.indexPrice())));
        };
    }

    /** What a record holds of a product. */
    private static BigDecimal decimalsAtMost40(BigDecimal product) {
        return product.setScale(Math.min(product.scale(), 40), RoundingMode.HALF_EVEN);
    }

    private static BigDecimal tidy(BigDecimal value) {
        return value == null
                ? null
                : new BigDecimal(new BigDecimal(value.stripTrailingZeros().toPlainString()).toPlainString());
    }

    /** Positive, up to so many digits, of any size that prices have. */
    private BigDecimal decimal(int digits) {
        int length = 1 + random.nextInt(digits);
        BigInteger unscaled =
                new BigInteger(40, random).mod(BigInteger.TEN.pow(length)).add(BigInteger.ONE);
        return new BigDecimal(unscaled, random.nextInt(length + 4));
    }

    private record Ratio(BigInteger over, BigInteger under) {
        static Ratio of(long whole) {
            return of(BigDecimal.valueOf(whole));
        }

        static Ratio of(BigDecimal value) {
            BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
            return new Ratio(plain.unscaledValue(), BigInteger.TEN.pow(plain.scale()));
        }

        Ratio times(Ratio other) {
            return new Ratio(over.multiply(other.over), under.multiply(other.under));
        }

        Ratio over(Ratio other) {
            BigInteger sign = BigInteger.valueOf(other.over.signum());
            return new Ratio(
                    over.multiply(other.under).multiply(sign),
                    under.multiply(other.over).multiply(sign));
        }

        /** The first power of ten that makes it whole, else the nearer of the two neighbours with 18 decimals, a tie to the even one. */
        BigDecimal decimal() {
            BigInteger scaled = over;
            for (int scale = 0; scale < 160; scale++, scaled = scaled.multiply(BigInteger.TEN)) {
                BigInteger[] parts = scaled.divideAndRemainder(under);
                if (parts[1].signum() == 0) {
                    return new BigDecimal(parts[0], scale);
                }
            }
            BigInteger[] parts = over.multiply(BigInteger.TEN.pow(18)).divideAndRemainder(under);
            int half = parts[1].abs().shiftLeft(1).compareTo(under);
            boolean away = half > 0 || (half == 0 && parts[0].testBit(0));
            BigInteger rounded = away ? parts[0].add(BigInteger.valueOf(over.signum())) : parts[0];
            return tidy(new BigDecimal(rounded, 18));
        }
    }
}
