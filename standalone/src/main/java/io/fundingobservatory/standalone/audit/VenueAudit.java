package io.fundingobservatory.standalone.audit;

import io.fundingobservatory.standalone.audit.RowComparison.Outcome;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one venue on both sides, compared.
 *
 * @param venue the venue's identifier
 * @param compared contracts with a row on both sides: those that are equal, that moved, that lack an interval and that differ
 * @param equal rows whose rates, next settlement and fixed values are equal
 * @param moved rows that differ only as the time between the two readings permits
 * @param withoutInterval rows whose interval only one side knows, and of which nothing else differs
 * @param different what differs otherwise, by symbol, one line each
 * @param venueOnly symbols that only the venue has
 * @param serviceOnly symbols that only the service has
 * @param apartMs the longest time between the two readings of a row, milliseconds
 * @param problems why the venue could not be read, or not whole, one line each
 */
public record VenueAudit(
        String venue,
        int compared,
        int equal,
        int moved,
        int withoutInterval,
        Map<String, String> different,
        List<String> venueOnly,
        List<String> serviceOnly,
        long apartMs,
        List<String> problems) {
    /** Ratios serve to find a common factor alone: 16 digits are enough. */
    private static final MathContext DIGITS = MathContext.DECIMAL64;

    /** A common factor needs so many rows: two estimates may move alike by chance. */
    private static final int FEWEST = 3;

    /** Estimates move while a unit is wrong: ratios are alike within this factor. */
    private static final BigDecimal ALIKE = BigDecimal.valueOf(2);

    /** Estimates of most contracts do not move together by more than this factor within minutes. */
    private static final BigDecimal MOVED_TOGETHER = new BigDecimal("1.8");

    /**
     * Compares rows. Rates of most rows that differ by one factor are different and not moved: no market moves so, a wrong unit
     * does.
     *
     * @param reading what was read from the venue
     */
    public static VenueAudit of(String venue, VenueReading reading, List<AuditedRow> atService) {
        Map<String, AuditedRow> here = bySymbol(reading.rows());
        Map<String, AuditedRow> there = bySymbol(atService);
        List<Both> both = both(here, there);
        String factor = factor(both);
        var different = new TreeMap<String, String>();
        int equal = 0;
        int withoutInterval = 0;
        long apartMs = 0;
        for (Both row : both) {
            Outcome outcome = RowComparison.of(row.venue(), row.service());
            String difference = outcome.difference() == null && outcome.moved() ? factor : outcome.difference();
            if (difference != null) {
                different.put(row.venue().symbol(), difference);
            } else if (outcome.withoutInterval()) {
                withoutInterval++;
            } else if (!outcome.moved()) {
                equal++;
            }
            apartMs = Math.max(
                    apartMs, Math.abs(row.venue().observedAtMs() - row.service().observedAtMs()));
        }
        return new VenueAudit(
                venue,
                both.size(),
                equal,
                both.size() - equal - withoutInterval - different.size(),
                withoutInterval,
                different,
                without(here, there),
                without(there, here),
                apartMs,
                List.copyOf(reading.problems()));
    }

    /** Whether both sides had a row of one contract. */
    public boolean isComparable() {
        return compared > 0;
    }

    /** The factor by which the service's rates differ from the venue's, in words; null when they have none in common. */
    private static @Nullable String factor(List<Both> both) {
        List<BigDecimal> ratios =
                both.stream().map(Both::ratio).filter(Objects::nonNull).sorted().toList();
        if (ratios.size() < FEWEST) {
            return null;
        }
        BigDecimal middle = ratios.get(ratios.size() / 2);
        long alike = ratios.stream()
                .filter(ratio -> ratio.signum() == middle.signum() && isWithin(ratio.divide(middle, DIGITS), ALIKE))
                .count();
        return isWithin(middle, MOVED_TOGETHER) || alike < FEWEST || alike * 2 <= ratios.size()
                ? null
                : "rates at the service are about "
                        + middle.round(new MathContext(3)).stripTrailingZeros().toPlainString()
                        + " times those at the venue, in " + alike + " of " + ratios.size() + " rows";
    }

    /** Whether a positive ratio is between the factor and one divided by it. */
    private static boolean isWithin(BigDecimal ratio, BigDecimal factor) {
        return ratio.compareTo(factor) <= 0 && ratio.multiply(factor).compareTo(BigDecimal.ONE) >= 0;
    }

    /** A contract on both sides. */
    private record Both(AuditedRow venue, AuditedRow service) {
        /** The service's rate divided by the venue's; null where one is 0 or not known, or of another settlement. */
        @Nullable
        BigDecimal ratio() {
            BigDecimal here = venue.rate8h();
            BigDecimal there = service.rate8h();
            return here == null
                            || there == null
                            || here.signum() == 0
                            || there.signum() == 0
                            || !venue.rateKind().equals(service.rateKind())
                    ? null
                    : there.divide(here, DIGITS);
        }
    }

    /** The contracts of both sides, by symbol. */
    private static List<Both> both(Map<String, AuditedRow> here, Map<String, AuditedRow> there) {
        var both = new ArrayList<Both>();
        new TreeMap<>(here).forEach((symbol, row) -> {
            AuditedRow other = there.get(symbol);
            if (other != null) {
                both.add(new Both(row, other));
            }
        });
        return both;
    }

    private static Map<String, AuditedRow> bySymbol(List<AuditedRow> rows) {
        return rows.stream().collect(Collectors.toMap(AuditedRow::symbol, Function.identity(), (one, other) -> other));
    }

    private static List<String> without(Map<String, AuditedRow> rows, Map<String, AuditedRow> others) {
        var only = new TreeSet<>(rows.keySet());
        only.removeAll(others.keySet());
        return List.copyOf(only);
    }
}
