package io.fundingobservatory.gateway.page;

import static io.fundingobservatory.testbed.SampleRecords.fields;

import io.fundingobservatory.gateway.core.rows.Samples;
import io.fundingobservatory.gateway.core.rows.VenueRows;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.gateway.core.snapshot.Snapshot;
import io.fundingobservatory.gateway.core.snapshot.Snapshots;
import io.fundingobservatory.testbed.SampleRecords;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryRefusal;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.DailySums;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.records.Basis;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.IntervalSource;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.RateKind;
import io.fundingobservatory.topics.records.Source;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sample data for the page: all venues, of which two are missing and one is late. It has assets with
 * contracts of every type, size, interval and kind, and pairs of every sort. The same seed gives the same
 * numbers.
 */
final class Market {
    static final String MISSING_IN_SCOPE = "deribit";
    static final String MISSING_OUTSIDE = "poloniex";
    static final String LATE = "htx";
    /** A ranking without any pair. */
    static final PairRanking NO_PAIRS =
            Samples.ranking(List.of(Samples.table("NONE", 1_000 * 3_600_000L, List.of(), List.of())));

    private static final long HOUR = 3_600_000;
    private static final BigDecimal YEAR = new BigDecimal(1095);
    private static final List<String> COINS =
            List.of("BTC", "ETH", "SOL", "XRP", "DOGE", "BNB", "ADA", "AVAX", "LINK", "LTC", "PEPE", "SHIB");
    private static final Set<String> THOUSANDS = Set.of("PEPE", "SHIB");

    private final Random random = new Random(2026);
    private final long nowMs;
    private final Map<String, RatePercentiles> percentiles;
    final List<Rate> rows = new ArrayList<>();

    /** A market of so many coins now, of which no percentiles are known. */
    Market(int coins, long nowMs) {
        this(coins, nowMs, Map.of());
    }

    /** The same with percentiles of the rates of contracts, by venue. */
    Market(int coins, long nowMs, Map<String, RatePercentiles> percentiles) {
        this.nowMs = nowMs;
        this.percentiles = percentiles;
        for (int i = 0; i < coins; i++) {
            list(i < COINS.size() ? COINS.get(i) : "C" + i, i, coins);
        }
    }

    private void list(String coin, int place, int coins) {
        double middle = 0.00005 + random.nextGaussian() * 0.0001 * (place % 17 == 16 ? 10 : 1);
        double price = place == 0 ? 92_517 : Math.exp(9 - 12.0 * place / coins);
        double share = place < 20 ? 1 : 1.0 - 0.75 * place / coins;
        for (ListedVenue venue : ListedVenue.ALL) {
            if (Set.of(MISSING_IN_SCOPE, MISSING_OUTSIDE).contains(venue.id()) || random.nextDouble() > share) {
                continue;
            }
            boolean thousand = THOUSANDS.contains(coin) && random.nextBoolean();
            String symbol = (thousand ? "1000" : "") + coin + (venue.kind() == ListedVenue.Kind.DEX ? "-PERP" : "USDT");
            add(venue, symbol, coin, "USDT", ContractType.LINEAR, middle, price, thousand ? 1000 : 1);
            if (place < 4 && venue.kind() == ListedVenue.Kind.CEX) {
                add(venue, coin + "USDC", coin, "USDC", ContractType.LINEAR, middle, price, 1);
                add(venue, coin + "USD", coin, "USD", ContractType.INVERSE, middle, price, 1);
            }
        }
    }

    private void add(
            ListedVenue venue,
            String symbol,
            String coin,
            String quote,
            ContractType type,
            double middle,
            double price,
            int scale) {
        int hours = List.of(8, 8, 4, 1).get(random.nextInt(4));
        boolean known = random.nextInt(100) > 0;
        BigDecimal own = decimal((middle + random.nextGaussian() * 0.00004) * hours / 8, 10);
        BigDecimal eight = own.multiply(BigDecimal.valueOf(8 / hours));
        BigDecimal mark = decimal(price * scale * (1 + random.nextGaussian() * 0.0004), price > 1000 ? 1 : 6);
        long read =
                venue.id().equals(LATE) ? nowMs - 200_000 - random.nextInt(100_000) : nowMs - random.nextInt(60_000);
        rows.add(SampleRecords.rate(
                fields("venue", venue.id(), "symbol", symbol, "asset", coin, "quote", quote, "contract_type", type),
                fields("asset_class", null, "dex", null, "funding_rate_8h", known ? eight : null),
                fields("funding_interval_h", known ? BigDecimal.valueOf(hours) : null),
                fields("funding_interval_source", known ? IntervalSource.ROW : null),
                fields("funding_rate", known ? own : null),
                fields("rate_kind", RateKind.values()[Math.floorMod(venue.id().hashCode(), RateKind.values().length)]),
                fields("funding_rate_annualised", known ? eight.multiply(YEAR) : null),
                fields("next_funding_ms", random.nextInt(10) == 0 ? null : (nowMs / HOUR / hours + 1) * HOUR * hours),
                fields("mark_price", random.nextInt(50) == 0 ? null : mark),
                fields("index_price", random.nextInt(10) == 0 ? null : mark.add(decimal(price * scale * 0.0003, 6))),
                fields("price_scale", BigDecimal.valueOf(scale), "venue_time_ms", null, "observed_at_ms", read),
                fields("stale", false)));
    }

    /**
     * A row of a linear contract in USDT, without prices and without a next settlement.
     *
     * @param eight its rate per 8 hours, fixed; null where none is known
     * @param more what is different: names of fields and values in turn
     */
    static Rate row(
            String venue,
            String symbol,
            String asset,
            @Nullable String eight,
            int hours,
            long readMs,
            @Nullable Object... more) {
        BigDecimal interval = eight == null ? null : BigDecimal.valueOf(hours);
        BigDecimal rate = eight == null ? null : new BigDecimal(eight);
        BigDecimal own = rate == null ? null : rate.multiply(interval).divide(BigDecimal.valueOf(8));
        return SampleRecords.rate(
                fields("venue", venue, "symbol", symbol, "asset", asset, "quote", "USDT", "asset_class", null),
                fields("contract_type", ContractType.LINEAR, "dex", null, "funding_rate_8h", rate, "funding_rate", own),
                fields("funding_interval_h", interval, "rate_kind", RateKind.FIXED),
                fields("funding_interval_source", rate == null ? null : IntervalSource.ROW),
                fields("funding_rate_annualised", rate == null ? null : rate.multiply(YEAR)),
                fields("next_funding_ms", null, "mark_price", null, "index_price", null, "price_scale", BigDecimal.ONE),
                fields("venue_time_ms", null, "observed_at_ms", readMs, "stale", false),
                more);
    }

    private static BigDecimal decimal(double value, int digits) {
        BigDecimal rounded =
                new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    /** Everything as one generation. */
    Snapshot snapshot(Source source) {
        return snapshot(source, rows, ranking(), nowMs);
    }

    /** These rows as one generation; exchanges without any are missing. */
    static Snapshot snapshot(Source source, List<Rate> rows, @Nullable PairRanking ranking, long nowMs) {
        return snapshot(null, source, rows, ranking, nowMs);
    }

    /** The same, as one that follows another generation where that is not null. */
    static Snapshot snapshot(
            @Nullable Snapshot former, Source source, List<Rate> rows, @Nullable PairRanking ranking, long nowMs) {
        Map<String, List<Rate>> byVenue = rows.stream().collect(Collectors.groupingBy(Rate::venue));
        var statuses = new HashMap<String, VenueStatus>();
        var qualities = new HashMap<String, VenueQuality>();
        for (ListedVenue venue : ListedVenue.ALL) {
            List<Rate> held = byVenue.get(venue.id());
            VenueStatus status = held == null
                    ? Samples.failed(venue.id(), nowMs, nowMs - HOUR, "HTTP 403 <b>")
                    : Samples.read(venue.id(), nowMs, held.size(), Map.of("no_rate", 3L));
            VenueStatus sourced = Samples.from(status, source);
            statuses.put(venue.id(), held == null ? sourced : sourced.withHistory(held.size() / 2, held.size()));
            qualities.put(
                    venue.id(),
                    new VenueQuality(
                            venue.id(), 0, 720 * HOUR, 90, new BigDecimal("0.0000125"), new BigDecimal("0.00025")));
        }
        var fragments = new TreeMap<String, VenueRows>();
        byVenue.forEach((venue, held) -> fragments.put(venue, Samples.rows(venue, held, nowMs)));
        return Snapshots.of(
                nowMs,
                nowMs + 1_000,
                former == null ? fragments : Snapshots.following(former, fragments, nowMs),
                statuses,
                qualities,
                ranking);
    }

    /** Pairs of the first coins: most complete, some not, some of prices that disagree. */
    private PairRanking ranking() {
        long end = nowMs / HOUR * HOUR;
        var tables = new ArrayList<CarryTable>();
        for (String coin : COINS) {
            List<Rate> linear = rows.stream()
                    .filter(row -> row.asset().equals(coin) && row.contractType() == ContractType.LINEAR)
                    .filter(row -> row.quote().equals("USDT") && row.fundingRate8h() != null)
                    .toList();
            var pairs = new ArrayList<CarryPair>();
            var refused = new ArrayList<CarryRefusal>();
            for (int i = 0; i < linear.size(); i++) {
                for (int j = i + 1; j < linear.size(); j++) {
                    pair(linear.get(i), linear.get(j), end, pairs, refused);
                }
            }
            tables.add(Samples.table(coin, end, pairs, refused));
        }
        return Samples.ranking(tables);
    }

    private void pair(Rate one, Rate other, long end, List<CarryPair> pairs, List<CarryRefusal> refused) {
        if (random.nextInt(40) == 0) {
            refused.add(new CarryRefusal(
                    one.venue(),
                    one.symbol(),
                    one.markPrice(),
                    other.venue(),
                    other.symbol(),
                    null,
                    "price_not_known"));
            return;
        }
        String reason = random.nextInt(12) == 0 ? "listed_in_window" : null;
        CarryLeg a = leg(one, end);
        CarryLeg b = leg(other, end);
        boolean first = a.fundingSum().compareTo(b.fundingSum()) >= 0;
        pairs.add(Samples.pair(first ? b : a, first ? a : b, reason == null ? 30 : random.nextInt(30), reason));
    }

    private CarryLeg leg(Rate row, long end) {
        int hours = row.fundingIntervalH().intValueExact();
        return new CarryLeg(
                row.venue(),
                row.symbol(),
                0,
                row.quote(),
                row.fundingRate8h().multiply(BigDecimal.valueOf(60 + random.nextInt(40))),
                720 / hours,
                720 / hours,
                random.nextInt(3) == 0 ? 2 : 0,
                end - 720 * HOUR + hours * HOUR,
                end,
                row.fundingIntervalH(),
                Basis.SETTLED,
                DailySums.NONE,
                percentiles.get(row.venue()));
    }
}
