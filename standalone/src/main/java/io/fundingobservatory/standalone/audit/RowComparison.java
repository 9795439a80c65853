package io.fundingobservatory.standalone.audit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the row of a contract that a service returned with the one that was read from the venue. The two were read at
 * different times, so values may have moved between:
 *
 * <ul>
 *   <li>an {@code estimate} or {@code continuous} rate at any time;
 *   <li>a {@code fixed} or {@code last_settled} rate, and the next settlement, if a settlement lies between;
 *   <li>such a rate also in proportion to the prices, since some venues publish it as an amount per coin;
 *   <li>prices by less than a factor of two.
 * </ul>
 *
 * <p>Asset, quote currency, contract type, rate kind, funding interval and price scale must be equal. So must the factor
 * between the two rates of a row. A row that breaks one of these rules differs.
 */
final class RowComparison {
    private static final Set<String> MOVING = Set.of("estimate", "continuous");

    /** A quotient that does not end has 18 decimals: equal factors of two rates differ by no more than that leaves of them. */
    private static final BigDecimal ROUNDED = new BigDecimal("1e-16");

    /** What rounding of an amount per coin changes of a rate, as a fraction of it. */
    private static final BigDecimal AMOUNT_ROUNDED = new BigDecimal("1e-9");

    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    private RowComparison() {}

    /**
     * Outcome of one comparison.
     *
     * @param withoutInterval whether only one side knows the funding interval, and what depends on it was not compared
     * @param moved whether a rate or the next settlement differs as it may, or the venue's rate is of another settlement
     * @param difference what differs as it must not, one line; null when nothing does
     */
    record Outcome(
            boolean withoutInterval,
            boolean moved,
            @Nullable String difference) {}

    /**
     * Compares two rows of one contract. A service withholds an interval that settlements contradict. A single poll
     * lacks intervals that take a request for each contract. It may have the last settled rate alone, where the rate to come takes such a
     * request: then the rates are not compared.
     */
    static Outcome of(AuditedRow atVenue, AuditedRow atService) {
        boolean withoutInterval = atVenue.lacksInterval() != atService.lacksInterval();
        AuditedRow venue = withoutInterval ? atVenue.knownTo(atService) : atVenue;
        AuditedRow service = withoutInterval ? atService.knownTo(atVenue) : atService;
        boolean withoutRate = atVenue.hasLastSettledOnly() && !atService.hasLastSettledOnly();
        if (withoutRate) {
            venue = venue.withoutRate();
            service = service.withoutRate();
        }
        String difference = fixed(venue, service);
        difference = difference == null ? factor(venue, service) : difference;
        difference = difference == null ? prices(venue, service) : difference;
        difference = difference == null ? numbers(venue, service) : difference;
        boolean moved = withoutRate
                || !same(venue.rate(), service.rate())
                || !same(venue.rate8h(), service.rate8h())
                || !same(venue.nextFundingMs(), service.nextFundingMs());
        return new Outcome(withoutInterval, moved, difference);
    }

    private static @Nullable String fixed(AuditedRow venue, AuditedRow service) {
        for (var value : venue.fixed().entrySet()) {
            String there = service.fixed().get(value.getKey());
            if (!value.getValue().equals(there)) {
                return line(value.getKey(), value.getValue(), there);
            }
        }
        return null;
    }

    /** The rate per 8 hours is the rate per interval times the same factor on both sides. */
    private static @Nullable String factor(AuditedRow venue, AuditedRow service) {
        if (venue.rate() == null || venue.rate8h() == null || service.rate() == null || service.rate8h() == null) {
            return null;
        }
        BigDecimal here = venue.rate8h().multiply(service.rate());
        BigDecimal there = service.rate8h().multiply(venue.rate());
        BigDecimal permitted =
                ROUNDED.multiply(venue.rate().abs().max(service.rate().abs()));
        return here.subtract(there).abs().compareTo(permitted) <= 0
                ? null
                : line("funding_rate_8h for its funding_rate", venue.rate8h(), service.rate8h());
    }

    private static @Nullable String prices(AuditedRow venue, AuditedRow service) {
        for (var price : venue.prices().entrySet()) {
            BigDecimal there = service.prices().get(price.getKey());
            if (there != null && !near(price.getValue(), there)) {
                return line(price.getKey(), price.getValue(), there);
            }
        }
        return null;
    }

    private static boolean near(BigDecimal one, BigDecimal other) {
        return one.compareTo(other.multiply(TWO)) < 0 && other.compareTo(one.multiply(TWO)) < 0;
    }

    private static @Nullable String numbers(AuditedRow venue, AuditedRow service) {
        boolean settled = settledBetween(venue, service);
        if (isNull(venue.rate()) != isNull(service.rate()) || isNull(venue.rate8h()) != isNull(service.rate8h())) {
            return line("funding_rate_8h", venue.rate8h(), service.rate8h());
        }
        if (!MOVING.contains(venue.rateKind()) && !settled && !movedWithPrices(venue, service)) {
            String name = venue.rate8h() == null ? " funding_rate" : " funding_rate_8h";
            return line(venue.rateKind() + name, comparable(venue), comparable(service));
        }
        return same(venue.nextFundingMs(), service.nextFundingMs()) || settled
                ? null
                : line("next_funding_ms", venue.nextFundingMs(), service.nextFundingMs());
    }

    /** Whether the rates differ by no more than the prices do, relatively, and rounding of the venue's amount. */
    private static boolean movedWithPrices(AuditedRow venue, AuditedRow service) {
        BigDecimal here = comparable(venue);
        BigDecimal there = comparable(service);
        if (same(here, there)) {
            return true;
        }
        BigDecimal permitted = AMOUNT_ROUNDED;
        for (var price : venue.prices().entrySet()) {
            BigDecimal other = service.prices().get(price.getKey());
            if (other != null && price.getValue().signum() != 0) {
                BigDecimal apart = price.getValue()
                        .subtract(other)
                        .abs()
                        .divide(price.getValue().abs(), MathContext.DECIMAL64);
                permitted = permitted.max(apart.add(AMOUNT_ROUNDED));
            }
        }
        return here != null
                && there != null
                && there.subtract(here).abs().compareTo(permitted.multiply(here.abs())) <= 0;
    }

    /** The rate per 8 hours; the one per interval where that is all that both sides know. */
    private static @Nullable BigDecimal comparable(AuditedRow row) {
        return row.rate8h() == null ? row.rate() : row.rate8h();
    }

    /** Whether the earlier of the two next settlements had come when the later row was read. */
    private static boolean settledBetween(AuditedRow venue, AuditedRow service) {
        BigDecimal one = venue.nextFundingMs();
        BigDecimal other = service.nextFundingMs();
        return one != null
                && other != null
                && one.min(other).longValue() <= Math.max(venue.observedAtMs(), service.observedAtMs());
    }

    private static boolean isNull(@Nullable BigDecimal value) {
        return value == null;
    }

    private static boolean same(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        if (one == null || other == null) {
            return isNull(one) && isNull(other);
        }
        return one.compareTo(other) == 0;
    }

    private static String line(String what, @Nullable Object venue, @Nullable Object service) {
        return what + ": " + text(venue) + " at the venue, " + text(service) + " at the service";
    }

    private static String text(@Nullable Object value) {
        return value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value);
    }
}
