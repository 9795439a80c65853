package io.fundingobservatory.streams;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.oracle.Json;
import io.fundingobservatory.oracle.Names;
import io.fundingobservatory.oracle.RowModel;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Quotes drawn from a seed. A quote's symbol decides its asset, so asset and scale are known without the rules under test. */
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
                fields("venue", venue, "symbol", NAMES[name][0] + "-PERP", "base", NAMES[name][0], "quote", "USDT"),
                fields("contract_type", ContractType.values()[random.nextInt(3)], "asset_class", null, "dex", null),
                fields(
                        "rate",
                        decimal(12)
                                .multiply(BigDecimal.valueOf(random.nextInt(5) - 2))
                                .movePointLeft(unit == RateUnit.FRACTION ? 4 : 6)),
                fields("rate_unit", unit, "rate_hours", covered, "rate_kind", RateKind.values()[random.nextInt(4)]),
                fields("interval_h", interval),
                fields("interval_source", interval == null ? null : IntervalSource.values()[random.nextInt(4)]),
                fields("next_funding_ms", random.nextBoolean() ? null : observedAtMs + random.nextInt(28_800_000)),
                fields("mark_price", random.nextInt(6) == 0 ? null : decimal(14)),
                fields("index_price", random.nextInt(6) == 0 ? null : decimal(14)),
                fields("venue_time_ms", random.nextBoolean() ? null : observedAtMs - random.nextInt(5_000)),
                fields("observed_at_ms", observedAtMs));
    }

    /** A quote of which one to three fields hold what none should: at a bound, beyond it, or nothing that a market knows. */
    public Quote odd(long observedAtMs) {
        Quote q = next(observedAtMs);
        for (int fields = 1 + random.nextInt(3); fields > 0; fields--) {
            q = switch (random.nextInt(10)) {
                case 0 -> Quote.CODEC.with(q, "symbol", oddText());
                case 1 -> Quote.CODEC.with(q, "venue", "hyperliquid", "base", "xyz:"); // no coin at a dex of its own
                case 2 -> Quote.CODEC.with(q, "quote", oddText());
                case 3 -> Quote.CODEC.with(q, "rate", oddDecimal());
                case 4 -> Quote.CODEC.with(q, "rate_hours", oddDecimal());
                case 5 -> q.intervalH() == null ? q : Quote.CODEC.with(q, "interval_h", oddDecimal());
                case 6 -> Quote.CODEC.with(q, "next_funding_ms", oddTime());
                case 7 -> Quote.CODEC.with(q, "mark_price", oddDecimal());
                case 8 -> Quote.CODEC.with(q, "index_price", oddDecimal());
                default -> Quote.CODEC.with(q, "observed_at_ms", oddObserved(observedAtMs));
            };
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

    /** The first quote of a seed that becomes a row. */
    public static Quote plausible(long seed, long observedAtMs) {
        var source = new SeededQuotes(seed);
        return Stream.generate(() -> source.next(observedAtMs))
                .filter(quote -> row(quote) != null)
                .findFirst()
                .orElseThrow();
    }

    /** The row of a quote that was drawn, as the oracle computes it; null when the rate is out of range. */
    public static @Nullable Map<String, @Nullable Object> row(Quote quote) {
        return RowModel.of(Json.object(Quote.CODEC.encode(quote)), assetOf(quote.base() + "-PERP"));
    }

    /** The asset of a symbol and the coins that one priced unit is; null for a symbol that was never drawn. */
    public static Names.@Nullable Asset assetOf(String symbol) {
        return Arrays.stream(NAMES)
                .filter(name -> symbol.equals(name[0] + "-PERP"))
                .map(name -> new Names.Asset(name[1], new BigDecimal(name[2])))
                .findFirst()
                .orElse(null);
    }

    /** The same contract and values, read at another instant. */
    public static Quote readAt(Quote quote, long observedAtMs) {
        return Quote.CODEC.with(quote, "observed_at_ms", observedAtMs);
    }

    /** Positive, up to so many digits, of any size that prices have. */
    private BigDecimal decimal(int digits) {
        int length = 1 + random.nextInt(digits);
        BigInteger unscaled =
                new BigInteger(40, random).mod(BigInteger.TEN.pow(length)).add(BigInteger.ONE);
        return new BigDecimal(unscaled, random.nextInt(length + 4));
    }
}
