package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.carry.RatePercentiles;
import io.fundingobservatory.topics.normalisation.RateConversion;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recomputes the sums, counts, percentiles and receipts of pairs from records of {@code settlements}, with separate, plain arithmetic. */
final class PairRecomputation {
    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(3_600_000);
    private static final int WINDOW_DAYS = 30;

    /** By minute, as the topic has them. */
    private final Map<Listing, NavigableMap<Long, Settlement>> ledger = new HashMap<>();

    /** One contract of one listing. */
    private record Listing(String venue, String symbol, long listingEpoch) {
        static Listing of(CarryLeg leg) {
            return new Listing(leg.venue(), leg.symbol(), leg.listingEpoch());
        }
    }

    /** A record of the topic; it replaces the one of the same minute. */
    void add(Settlement settlement) {
        var listing = new Listing(settlement.venue(), settlement.symbol(), settlement.listingEpoch());
        ledger.computeIfAbsent(listing, l -> new TreeMap<>()).put(settlement.settledMs(), settlement);
    }

    /**
     * The settlements of a leg: two that are closer than half of the interval that they close are one. The better basis
     * stays with its instant, of equal ones the later reading. A venue may stamp a settlement a minute after its estimate.
     */
    private NavigableMap<Long, Settlement> merged(CarryLeg leg) {
        var merged = new TreeMap<Long, Settlement>();
        long firstMs = 0; // stamp of the first of those that are the last settlement
        BigDecimal hours = null; // that it closes
        for (Settlement next :
                ledger.getOrDefault(Listing.of(leg), new TreeMap<>()).values()) {
            Map.Entry<Long, Settlement> last = merged.lastEntry();
            BigDecimal shorterMs =
                    orAnHour(hours).min(orAnHour(next.fundingIntervalH())).multiply(HOUR_MS);
            BigDecimal twiceApartMs = BigDecimal.valueOf(2 * (next.settledMs() - firstMs));
            if (last == null || twiceApartMs.compareTo(shorterMs) >= 0) {
                merged.put(next.settledMs(), next);
                firstMs = next.settledMs();
                hours = next.fundingIntervalH();
            } else if (isBetter(next, last.getValue())) {
                merged.remove(last.getKey());
                hours = next.fundingIntervalH() == null ? hours : next.fundingIntervalH();
                merged.put(next.settledMs(), closing(hours, next));
            } else {
                hours = hours == null ? next.fundingIntervalH() : hours;
                merged.put(last.getKey(), closing(hours, last.getValue()));
            }
        }
        return merged;
    }

    private static Settlement closing(@Nullable BigDecimal hours, Settlement settlement) {
        return Settlement.CODEC.with(settlement, "funding_interval_h", hours);
    }

    private static BigDecimal orAnHour(@Nullable BigDecimal hours) {
        return hours == null ? BigDecimal.ONE : hours;
    }

    private static boolean isBetter(Settlement one, Settlement other) {
        int basis = one.basis().compareTo(other.basis());
        return basis < 0 || (basis == 0 && one.observedAtMs() > other.observedAtMs());
    }

    /** How a pair differs from its settlements; null when they agree. */
    @Nullable
    String difference(CarryTable table, CarryPair pair) {
        long from = table.windowEndMs() - pair.days() * Duration.ofDays(1).toMillis();
        // By venue, then by symbol: joined to one text, lighter_rh would come before lighter.
        List<CarryLeg> legs = Stream.of(pair.shortLeg(), pair.longLeg())
                .sorted(Comparator.comparing(CarryLeg::venue).thenComparing(CarryLeg::symbol))
                .toList();
        var lines = new StringBuilder();
        BigDecimal difference = BigDecimal.ZERO;
        for (CarryLeg leg : legs) {
            var settlements =
                    merged(leg).subMap(from, false, table.windowEndMs(), true).values();
            BigDecimal sum = BigDecimal.ZERO;
            for (Settlement s : settlements) {
                sum = sum.add(s.fundingRate());
                String rate = s.fundingRate().signum() == 0
                        ? "0"
                        : s.fundingRate().stripTrailingZeros().toPlainString();
                lines.append(leg.venue())
                        .append('|')
                        .append(leg.symbol())
                        .append('|')
                        .append(leg.listingEpoch());
                lines.append('|').append(s.settledMs()).append('|').append(rate).append('|');
                lines.append(s.basis().name().toLowerCase(Locale.ROOT)).append('\n');
            }
            difference = leg.equals(pair.shortLeg()) ? difference.add(sum) : difference.subtract(sum);
            if (settlements.size() != leg.settlements()) {
                return leg.venue() + ": " + settlements.size() + " settlements, not " + leg.settlements();
            }
            if (!sameDays(leg, merged(leg), table.windowEndMs())) {
                return leg.venue() + ": other daily sums";
            }
            if (pair.days() == WINDOW_DAYS && leg.percentiles() == null) {
                return leg.venue() + ": no percentiles";
            }
            if (leg.percentiles() != null && !samePercentiles(leg.percentiles(), merged(leg), table)) {
                return leg.venue() + ": other percentiles";
            }
        }
        if (pair.fundingDifference() == null || difference.compareTo(pair.fundingDifference()) != 0) {
            return "the difference is " + difference.toPlainString();
        }
        return sha256(lines.toString()).equals(pair.receipt()) ? null : "another receipt";
    }

    private static boolean sameDays(CarryLeg leg, NavigableMap<Long, Settlement> settlements, long windowEndMs) {
        long dayMs = Duration.ofDays(1).toMillis();
        long endMs = windowEndMs;
        for (BigDecimal published : leg.dailySums().list().reversed()) {
            BigDecimal sum = settlements.subMap(endMs - dayMs, false, endMs, true).values().stream()
                    .map(Settlement::fundingRate)
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            if (sum.compareTo(published) != 0) {
                return false;
            }
            endMs -= dayMs;
        }
        return true;
    }

    /**
     * Lines up the settlements of 30 days by their 8-hour rates, each for the hours that it closed. A percentile is the first rate at
     * which so much of the time is over.
     */
    private static boolean samePercentiles(
            RatePercentiles published, NavigableMap<Long, Settlement> settlements, CarryTable table) {
        var hoursByRate = new TreeMap<BigDecimal, BigDecimal>();
        BigDecimal all = BigDecimal.ZERO;
        for (Map.Entry<Long, Settlement> each : settlements
                .subMap(table.windowStartMs(), false, table.windowEndMs(), true)
                .entrySet()) {
            BigDecimal hours = hours(settlements, each);
            if (hours == null) {
                return false;
            }
            hoursByRate.merge(RateConversion.per8h(each.getValue().fundingRate(), hours), hours, BigDecimal::add);
            all = all.add(hours);
        }
        var found = new ArrayList<BigDecimal>();
        for (String part : List.of("0.1", "0.5", "0.9")) {
            BigDecimal left = all.multiply(new BigDecimal(part));
            for (Map.Entry<BigDecimal, BigDecimal> rate : hoursByRate.entrySet()) {
                left = left.subtract(rate.getValue());
                if (left.signum() <= 0) {
                    found.add(rate.getKey());
                    break;
                }
            }
        }
        return found.size() == 3
                && found.get(0).compareTo(published.p10()) == 0
                && found.get(1).compareTo(published.p50()) == 0
                && found.get(2).compareTo(published.p90()) == 0;
    }

    /** The hours that a settlement closed; where it does not tell, those since the one before, of the first one those to the next. */
    private static @Nullable BigDecimal hours(
            NavigableMap<Long, Settlement> settlements, Map.Entry<Long, Settlement> one) {
        Map.Entry<Long, Settlement> before = settlements.lowerEntry(one.getKey());
        Map.Entry<Long, Settlement> after = settlements.higherEntry(one.getKey());
        if (one.getValue().fundingIntervalH() != null || (before == null && after == null)) {
            return one.getValue().fundingIntervalH();
        }
        long apartMs = before != null ? one.getKey() - before.getKey() : after.getKey() - one.getKey();
        return BigDecimal.valueOf(apartMs).divide(HOUR_MS, 0, RoundingMode.HALF_UP);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
