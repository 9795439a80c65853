package io.fundingobservatory.topics;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.json.DeclaredField;
import io.fundingobservatory.topics.json.Field;
import io.fundingobservatory.topics.json.JsonCodec;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractEvent;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.HistoryProgress;
import io.fundingobservatory.topics.records.PollCounts;
import io.fundingobservatory.topics.records.Quote;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.RateRequest;
import io.fundingobservatory.topics.records.SettledRate;
import io.fundingobservatory.topics.records.Settlement;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Records with random content from a seed: every nullable field is null now and then, and an odd one is at or beyond a bound. */
final class SampleRecords {
    private final Random random;
    private final boolean odd;

    SampleRecords(long seed) {
        this(seed, false);
    }

    private SampleRecords(long seed, boolean odd) {
        this.random = new Random(seed);
        this.odd = odd;
    }

    /** Records in which one number or text in eight is around the bounds of a field. */
    static SampleRecords odd(long seed) {
        return new SampleRecords(seed, true);
    }

    private boolean oddNow() {
        return odd && random.nextInt(8) == 0;
    }

    /** 1 to 70 digits, its point 70 digits to either side of them. */
    BigDecimal oddDecimal() {
        var digits = new StringBuilder().append(1 + random.nextInt(9));
        int more = random.nextBoolean() ? random.nextInt(70) : 60 + random.nextInt(6);
        for (int i = 0; i < more; i++) {
            digits.append(random.nextInt(4) == 0 ? 0 : random.nextInt(10));
        }
        var unscaled = new BigInteger((random.nextBoolean() ? "-" : "") + digits);
        return new BigDecimal(unscaled, random.nextInt(140) - 70);
    }

    /** Blank, around the longest, with half of a surrogate pair, or with characters that JSON escapes. */
    String oddText() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> " \t\u2003";
            case 2 -> "x".repeat(4_090 + random.nextInt(12));
            case 3 -> "a\ud83d";
            case 4 -> "\ude00b";
            case 5 -> "\ud83d\ude00";
            case 6 -> "\0\u0007\u2028\"\\";
            default -> "\ud83d\ude00".repeat(2_040 + random.nextInt(12));
        };
    }

    private <T> T orNull(Supplier<T> value) {
        return random.nextInt(4) == 0 ? null : value.get();
    }

    private <E> E one(E[] values) {
        return values[random.nextInt(values.length)];
    }

    private BigDecimal price() {
        if (oddNow()) {
            return oddDecimal();
        }
        return BigDecimal.valueOf(1 + random.nextLong(1_000_000_000), random.nextInt(12));
    }

    private BigDecimal rate() {
        if (oddNow()) {
            return oddDecimal();
        }
        return BigDecimal.valueOf(random.nextLong(2_000_000) - 1_000_000, 5 + random.nextInt(15));
    }

    private long time() {
        if (oddNow()) {
            return random.nextBoolean() ? Long.MIN_VALUE : random.nextLong();
        }
        return 1_700_000_000_000L + random.nextLong(200_000_000_000L);
    }

    private String text() {
        if (oddNow()) {
            return oddText();
        }
        return "T" + Integer.toString(random.nextInt(1_000_000), 36) + (random.nextInt(5) == 0 ? "币|\"\\\n" : "");
    }

    /** A value of its kind for each field. */
    private <T> T record(JsonCodec<T> codec, String venue) {
        return codec.make(field -> {
            if (field.name().equals("venue")) {
                return venue;
            }
            return field.required() ? value(field) : orNull(() -> value(field));
        });
    }

    private Object value(DeclaredField<?> field) {
        if (field.type() == String.class) {
            return text();
        }
        if (field.type() == BigDecimal.class) {
            return field.about().range() == Field.Range.ABOVE_ZERO ? price() : rate();
        }
        if (field.type() == Long.class) {
            return field.name().endsWith("_ms") ? time() : Long.valueOf(random.nextInt(3));
        }
        return field.type() == Boolean.class ? Boolean.TRUE : one(field.type().getEnumConstants());
    }

    Quote quote() {
        return record(Quote.CODEC, "binance");
    }

    Rate latest() {
        return record(Rate.CODEC, "okx");
    }

    SettledRate settledRate() {
        return record(SettledRate.CODEC, "gate");
    }

    Settlement settlement() {
        return record(Settlement.CODEC, "gate");
    }

    ContractEvent contractEvent() {
        return new ContractEvent(
                one(ContractEvent.Kind.values()),
                orNull(this::text),
                "gate",
                text(),
                random.nextInt(3),
                orNull(this::time),
                orNull(this::text),
                orNull(() -> one(ContractType.values())),
                orNull(this::price),
                orNull(this::price),
                orNull(this::time),
                orNull(this::time),
                orNull(this::rate),
                orNull(() -> one(Basis.values())),
                orNull(this::text),
                time());
    }

    private CarryLeg leg() {
        return new CarryLeg(
                "gate",
                text(),
                random.nextInt(2),
                orNull(this::text),
                orNull(this::rate),
                random.nextInt(720),
                random.nextInt(720),
                random.nextInt(9),
                orNull(this::time),
                orNull(this::time),
                orNull(this::price),
                orNull(() -> one(Basis.values())),
                DailySums.of(Stream.generate(() -> BigDecimal.valueOf(random.nextInt(2_001) - 1_000, 8))
                        .limit(random.nextInt(31))
                        .toList()),
                orNull(() -> new RatePercentiles(rate(), rate(), rate())));
    }

    private CarryPair pair() {
        return new CarryPair(
                leg(),
                leg(),
                random.nextInt(31),
                random.nextBoolean(),
                orNull(this::text),
                orNull(this::rate),
                orNull(() -> random.nextLong(31)),
                orNull(() -> "00ff"));
    }

    CarryTable carryTable() {
        var pairs = Stream.generate(this::pair).limit(random.nextInt(4)).toList();
        var refused = Stream.generate(() -> new CarryRefusal(
                        "a", text(), orNull(this::price), "b", text(), orNull(this::price), "price_differs"))
                .limit(random.nextInt(3))
                .toList();
        return new CarryTable(text(), time(), time(), pairs, refused);
    }

    VenueStatus venueStatus() {
        return new VenueStatus(
                "kraken",
                one(Source.values()),
                orNull(() -> one(RateKind.values())),
                random.nextBoolean(),
                orNull(this::text),
                orNull(this::time),
                orNull(this::time),
                orNull(this::time),
                orNull(this::text),
                orNull(() -> random.nextLong(900)),
                random.nextBoolean() ? Map.of() : Map.of("not_trading", 3L, "unreadable_price", random.nextLong(50)),
                orNull(() -> random.nextLong(900)),
                orNull(() -> random.nextLong(900)),
                orNull(() -> random.nextLong(900)),
                orNull(this::text),
                random.nextBoolean() ? Map.of() : Map.of("fapi.binance.com", time()),
                Stream.generate(() -> new RateRequest("GET", text(), orNull(this::text)))
                        .limit(random.nextInt(3))
                        .toList(),
                orNull(this::pollCounts));
    }

    private PollCounts pollCounts() {
        return new PollCounts(
                time(),
                time(),
                time(),
                Map.of("2026-11-25T13:00:00Z", 1 + random.nextLong(60)),
                random.nextBoolean() ? Map.of() : Map.of("2026-11-25T13:00:00Z", 1L),
                Map.of("2026-11-25T12:00:00Z", random.nextLong(3_600_000), "2026-11-25T13:00:00Z", 5L),
                Map.of("2026-11-25T00:00:00Z", random.nextLong(86_400_000)));
    }

    VenueQuality venueQuality() {
        return new VenueQuality("okx", time(), time(), 1 + random.nextInt(900), rate().abs(), rate().abs());
    }

    HistoryProgress historyProgress() {
        return new HistoryProgress(
                "okx", text(), orNull(this::time), random.nextBoolean(), orNull(this::time), orNull(this::time));
    }
}
