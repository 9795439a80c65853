package io.fundingobservatory.standalone.brokers;

import io.fundingobservatory.topics.carry.CarryLeg;
import io.fundingobservatory.topics.carry.CarryPair;
import io.fundingobservatory.topics.carry.CarryTable;
import io.fundingobservatory.topics.records.Settlement;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
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

/** Recomputes the sums, counts and receipts of pairs from records of {@code settlements}, with separate, plain arithmetic. */
final class PairRecomputation {
    private static final BigDecimal HOUR_MS = BigDecimal.valueOf(3_600_000);

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
                merged.put(next.settledMs(), next);
                hours = next.fundingIntervalH() == null ? hours : next.fundingIntervalH();
            } else {
                hours = hours == null ? next.fundingIntervalH() : hours;
            }
        }
        return merged;
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

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
