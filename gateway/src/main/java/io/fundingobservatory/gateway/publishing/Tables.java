package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.gateway.core.rows.EncodedRow;
import io.fundingobservatory.gateway.core.snapshot.PairRanking;
import io.fundingobservatory.topics.Topics;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.json.MalformedRecord;
import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.Rate;
import io.fundingobservatory.topics.records.VenueQuality;
import io.fundingobservatory.topics.records.VenueStatus;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The topics that the gateway shows, in memory. The publisher alone reads them; a request never does. */
final class Tables {
    /** Several times as many values as contracts, assets and settlements have at once. When there are more, all are let go. */
    private static final int MOST_SHARED = 100_000;

    private static final int FEW_DIGITS = 5;
    private static final long MINUTE_MS = 60_000;

    private final Map<Object, Object> shared = new ConcurrentHashMap<>();
    private final AssetClasses classes = new AssetClasses();
    private final Table<EncodedRow> rates;
    private final Table<PublishedStatus> statuses;
    private final Table<VenueQuality> qualities;
    private final Table<PairRanking.Table> pairs;

    /** What a poller last published, and the record's own time, epoch ms UTC. */
    record PublishedStatus(VenueStatus status, long publishedAtMs) {}

    /** {@code unreadable} receives the topic of each record that cannot be read. */
    Tables(Consumer<String> unreadable) {
        rates = new Table<>("latest-rates", Topics.RATES_LATEST, this::row, unreadable);
        statuses = new Table<>("venue-status", Topics.VENUES_STATUS, Tables::status, unreadable);
        qualities = new Table<>("venue-quality", Topics.VENUES_QUALITY, Tables::quality, unreadable);
        pairs = new Table<>("carry-pairs", Topics.CARRY_PAIRS, Tables::pairs, unreadable);
    }

    private @Nullable EncodedRow row(String key, byte[] value, long publishedAtMs) throws MalformedRecord {
        Rate row = Rate.CODEC.decode(value);
        return row.key().toString().equals(key) ? EncodedRow.stored(classes.classed(sharing(row)), value) : null;
    }

    /**
     * The same row with values that other rows have too. Names, intervals, scales and times of settlement repeat, and decoding makes a copy
     * for each. A row of 550 bytes then takes 310.
     */
    private Rate sharing(Rate row) {
        var decimals = new HashMap<Object, Object>();
        return Rate.CODEC.make(field -> {
            Object value = field.value().apply(row);
            return switch (value) {
                case String text -> shared(text);
                // Intervals and scales have few digits. On an interval of 8 hours both rates are one.
                case BigDecimal few when few.precision() < FEW_DIGITS -> shared(few);
                case BigDecimal decimal -> decimals.computeIfAbsent(decimal, first -> decimal);
                case Long atMs when atMs % MINUTE_MS == 0 -> shared(atMs); // settlements are at full minutes
                case null, default -> value;
            };
        });
    }

    private Object shared(Object value) {
        if (shared.size() >= MOST_SHARED) {
            shared.clear();
        }
        Object first = shared.putIfAbsent(value, value);
        return first == null ? value : first;
    }

    private static @Nullable PublishedStatus status(String venue, byte[] value, long publishedAtMs)
            throws MalformedRecord {
        VenueStatus status = VenueStatus.CODEC.decode(value);
        return status.venue().equals(venue) ? new PublishedStatus(status, publishedAtMs) : null;
    }

    private static @Nullable VenueQuality quality(String venue, byte[] value, long publishedAtMs)
            throws MalformedRecord {
        VenueQuality quality = VenueQuality.CODEC.decode(value);
        return quality.venue().equals(venue) ? quality : null;
    }

    private static PairRanking.@Nullable Table pairs(String asset, byte[] value, long publishedAtMs)
            throws MalformedRecord {
        CarryTable table = CarryTable.CODEC.decode(value);
        return table.asset().equals(asset) ? PairRanking.Table.of(table) : null;
    }

    /** Rates and what is known of the venues: all that the first snapshot needs. */
    List<Table<?>> ofRates() {
        return List.of(rates, statuses, qualities);
    }

    List<Table<?>> ofPairs() {
        return List.of(pairs);
    }

    /** Every row of one venue, at any age; used by several threads at once. */
    List<EncodedRow> rowsOf(String venue) {
        return rates.values(venue + '|').stream().map(this::classed).toList();
    }

    /** A row that was read before another venue's row of its asset may have a class by now. */
    private EncodedRow classed(EncodedRow row) {
        Rate classed = classes.classed(row.rate());
        return classed.equals(row.rate()) ? row : EncodedRow.stored(classed, row.json());
    }

    /** The venues whose rows have changed since the last call. */
    Set<String> takeChangedVenues() {
        return rates.takeChanged().stream()
                .filter(key -> key.indexOf('|') > 0)
                .map(key -> key.substring(0, key.indexOf('|')))
                .collect(Collectors.toSet());
    }

    /** What each poller last reported, by venue. */
    Map<String, PublishedStatus> statuses() {
        return statuses.values();
    }

    /** How far estimates were from what was settled, by venue; one of which nothing is known has none. */
    Map<String, VenueQuality> qualities() {
        return qualities.values();
    }

    Collection<PairRanking.Table> pairs() {
        return pairs.values().values();
    }

    /** Whether pair tables have changed since the last call. */
    boolean takePairsChanged() {
        return !pairs.takeChanged().isEmpty();
    }

    /**
     * The classes that venues state, by asset, each with the newest price of a coin of which it was stated. A row whose venue states none has the
     * class of its asset. Two underlyings of one name are distinguished as in pairs: by prices that differ by more than 5 %.
     */
    static final class AssetClasses {
        private static final BigDecimal SAME_UNDERLYING = new BigDecimal("1.05");

        private final Map<String, Map<AssetClass, BigDecimal>> stated = new ConcurrentHashMap<>();

        /** Takes the class that the row's venue states, or returns the row with that of its asset; unchanged where none, or several, fit. */
        Rate classed(Rate row) {
            BigDecimal price = coinPrice(row);
            if (price == null) {
                return row;
            }
            AssetClass own = row.assetClass();
            if (own != null) {
                if (!row.assetClassByAsset()) {
                    stated.computeIfAbsent(row.asset(), asset -> new ConcurrentHashMap<>())
                            .put(own, price);
                }
                return row;
            }
            List<AssetClass> fitting = stated.getOrDefault(row.asset(), Map.of()).entrySet().stream()
                    .filter(known -> isSame(known.getValue(), price))
                    .map(Map.Entry::getKey)
                    .toList();
            return fitting.size() == 1
                    ? Rate.CODEC.with(row, "asset_class", fitting.getFirst(), "asset_class_by_asset", true)
                    : row;
        }

        private static boolean isSame(BigDecimal a, BigDecimal b) {
            return a.max(b).compareTo(a.min(b).multiply(SAME_UNDERLYING)) <= 0;
        }

        private static @Nullable BigDecimal coinPrice(Rate row) {
            BigDecimal price = row.markPrice() != null ? row.markPrice() : row.indexPrice();
            return price == null ? null : price.divide(row.priceScale(), MathContext.DECIMAL64);
        }
    }
}
