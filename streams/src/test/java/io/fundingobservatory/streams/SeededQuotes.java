package io.fundingobservatory.streams;

import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.IntervalSource;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.Quote;
import io.fundingobservatory.topics.Rate;
import io.fundingobservatory.topics.RateKind;
import io.fundingobservatory.topics.RateUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Quotes drawn from a seed, and what an independent plain model makes of them: fractions of whole numbers, one map, no store. A
 * quote's symbol decides its name, so that name and scale are known without asking the rules under test.
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
        return new Quote(
                venue,
                NAMES[name][0] + "-PERP",
                NAMES[name][0],
                "USDT",
                ContractType.values()[random.nextInt(3)],
                decimal(12)
                        .multiply(BigDecimal.valueOf(random.nextInt(5) - 2))
                        .movePointLeft(unit == RateUnit.FRACTION ? 4 : 6),
                unit,
                covered,
                RateKind.values()[random.nextInt(4)],
                interval,
                interval == null ? null : IntervalSource.values()[random.nextInt(4)],
                random.nextBoolean() ? null : observedAtMs + random.nextInt(28_800_000),
                random.nextInt(6) == 0 ? null : decimal(14),
                random.nextInt(6) == 0 ? null : decimal(14),
                random.nextBoolean() ? null : observedAtMs - random.nextInt(5_000),
                observedAtMs);
    }

    /** The first quote of a seed that nothing speaks against. */
    public static Quote plausible(long seed, long observedAtMs) {
        var source = new SeededQuotes(seed);
        return Stream.generate(() -> source.next(observedAtMs))
                .filter(quote -> normalised(quote) != null)
                .findFirst()
                .orElseThrow();
    }

    /** The same contract and figures, read at another instant. */
    public static Quote readAt(Quote q, long observedAtMs) {
        return new Quote(
                q.venue(),
                q.symbol(),
                q.base(),
                q.quote(),
                q.contractType(),
                q.rate(),
                q.rateUnit(),
                q.rateHours(),
                q.rateKind(),
                q.intervalH(),
                q.intervalSource(),
                q.nextFundingMs(),
                q.markPrice(),
                q.indexPrice(),
                q.venueTimeMs(),
                observedAtMs);
    }

    /** What has to come out for a quote that goes in now; null when it must change nothing. */
    public Rate expected(Quote quote) {
        Rate rate = normalised(quote);
        Long known = newest.get(quote.key().toString());
        if (rate == null || (known != null && known >= quote.observedAtMs())) {
            return null;
        }
        newest.put(quote.key().toString(), quote.observedAtMs());
        return rate;
    }

    private static Rate normalised(Quote q) {
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
        return new Rate(
                q.venue(),
                q.symbol(),
                name[1],
                q.quote(),
                q.contractType(),
                per8h,
                tidy(q.intervalH()),
                q.intervalSource(),
                own == null ? null : own.decimal(),
                q.rateKind(),
                per8h == null ? null : tidy(per8h.multiply(new BigDecimal(1095))),
                q.nextFundingMs(),
                tidy(q.markPrice()),
                tidy(q.indexPrice()),
                new BigDecimal(name[2]),
                q.venueTimeMs(),
                q.observedAtMs(),
                false);
    }

    private static Ratio fraction(Quote q) {
        Ratio rate = Ratio.of(q.rate());
        return switch (q.rateUnit()) {
            case FRACTION -> rate;
            case PERCENT -> rate.over(Ratio.of(100));
            case QUOTE_PER_COIN_AT_INDEX -> q.indexPrice() == null ? null : rate.over(Ratio.of(q.indexPrice()));
            case QUOTE_PER_COIN_AT_MARK ->
                q.markPrice() == null
                        ? null
                        : Ratio.of(rate.over(Ratio.of(q.markPrice())).decimal());
            case COIN_PER_QUOTE_AT_INDEX -> q.indexPrice() == null ? null : rate.times(Ratio.of(q.indexPrice()));
        };
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
