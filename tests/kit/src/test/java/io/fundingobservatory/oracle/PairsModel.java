package io.fundingobservatory.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.oracle.KnownSettlements.Listing;
import io.fundingobservatory.oracle.KnownSettlements.Settlement;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes the sums of a pair table from settlements alone. F = Σ r over the common days (T − 24 h · days, T], where the table names T
 * and the days. D = F(short) − F(long), where F(short) is the larger one. A receipt is SHA-256 over the lines of both legs.
 */
public final class PairsModel {
    static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final long WINDOW_DAYS = 30;
    private static final BigDecimal ROUNDED = new BigDecimal("0.5e-18");

    private final KnownSettlements known;
    private final Consumer<String> violated;
    /** By listing, start and end: a leg is in many pairs. */
    private final Map<List<Object>, TreeMap<Long, Settlement>> windows = new HashMap<>();

    private long pairs;

    /**
     * A model.
     *
     * @param violated receives what a table has otherwise
     */
    public PairsModel(KnownSettlements known, Consumer<String> violated) {
        this.known = known;
        this.violated = violated;
    }

    /** Pairs that were computed. */
    public long pairs() {
        return pairs;
    }

    /** Compares every pair of a table. */
    @SuppressWarnings("unchecked")
    public void table(Map<String, @Nullable Object> table) {
        long end = whole(table.get("window_end_ms"));
        var legs = (List<Map<String, @Nullable Object>>) table.get("legs");
        for (Object each : (List<Object>) table.get("pairs")) {
            var pair = (Map<String, @Nullable Object>) each;
            Map<String, @Nullable Object> longLeg = legs.get((int) whole(pair.get("long")));
            Map<String, @Nullable Object> shortLeg = legs.get((int) whole(pair.get("short")));
            pair(pair, longLeg, shortLeg, end);
            pairs++;
        }
    }

    private void pair(
            Map<String, @Nullable Object> pair,
            Map<String, @Nullable Object> longLeg,
            Map<String, @Nullable Object> shortLeg,
            long end) {
        long days = whole(pair.get("days"));
        String name = listing(longLeg) + " and " + listing(shortLeg);
        long start = end - (days == 0 ? WINDOW_DAYS : days) * DAY_MS;
        TreeMap<Long, Settlement> paid = window(listing(longLeg), start, end);
        TreeMap<Long, Settlement> received = window(listing(shortLeg), start, end);
        leg(longLeg, paid, days, end);
        leg(shortLeg, received, days, end);
        if (days == 0) {
            require(pair.get("funding_difference") == null && pair.get("receipt") == null, name + " have no day");
            return;
        }
        BigDecimal difference = sum(received).subtract(sum(paid));
        same(name + " difference", pair.get("funding_difference"), difference);
        require(difference.signum() >= 0, name + " have their legs the wrong way round");
        long positive = 0;
        for (long day = end - days * DAY_MS; day < end; day += DAY_MS) {
            BigDecimal ofDay = sum(received.subMap(day, false, day + DAY_MS, true))
                    .subtract(sum(paid.subMap(day, false, day + DAY_MS, true)));
            positive += ofDay.signum() > 0 ? 1 : 0;
        }
        same(name + " positive days", pair.get("positive_days"), BigDecimal.valueOf(positive));
        String lines = ordered(listing(longLeg), paid, listing(shortLeg), received);
        require(sha256(lines).equals(pair.get("receipt")), name + " have another receipt");
    }

    private void leg(Map<String, @Nullable Object> leg, TreeMap<Long, Settlement> settlements, long days, long end) {
        String name = listing(leg) + " ";
        BigDecimal size = BigDecimal.valueOf(settlements.size());
        same(name + "settlements", leg.get("settlements"), size);
        same(name + "first", leg.get("first_settlement_ms"), settlements.isEmpty() ? null : settlements.firstKey());
        same(name + "last", leg.get("last_settlement_ms"), settlements.isEmpty() ? null : settlements.lastKey());
        percentiles(leg, name, days, end);
        long estimated = settlements.values().stream()
                .filter(settlement -> settlement.basis().equals("estimate"))
                .count();
        same(name + "estimated", leg.get("estimated"), BigDecimal.valueOf(estimated));
        if (days == 0) {
            require(leg.get("funding_sum_30d") == null, name + "has a sum over no day");
            require(whole(leg.get("expected")) >= settlements.size(), name + "has more than were expected");
            return;
        }
        same(name + "expected", leg.get("expected"), size);
        same(name + "sum", leg.get("funding_sum_30d"), sum(settlements));
        List<?> daily = (List<?>) leg.get("daily_sums");
        require(daily.size() == days, name + "has " + daily.size() + " daily sums of " + days);
        for (int day = 0; day < Math.min(days, daily.size()); day++) {
            long start = end - (days - day) * DAY_MS;
            same(name + "day " + day, daily.get(day), sum(settlements.subMap(start, false, start + DAY_MS, true)));
        }
    }

    /**
     * The rates of 30 days per 8 hours, each for as many milliseconds as its settlement closed, in the order of their size. A percentile
     * is the rate in which that part of the time ends.
     */
    private void percentiles(Map<String, @Nullable Object> leg, String name, long days, long end) {
        if (leg.get("rate_8h_p50") == null) {
            require(days < WINDOW_DAYS, name + "has no percentiles over 30 days");
            return;
        }
        TreeMap<Long, Settlement> known = window(listing(leg), end - (WINDOW_DAYS + 1) * DAY_MS, end);
        record Closed(BigDecimal rate8h, long ms) {}
        var closed = new ArrayList<Closed>();
        known.tailMap(end - WINDOW_DAYS * DAY_MS, false).forEach((settledMs, settlement) -> {
            Long before = known.lowerKey(settledMs);
            long apartMs = before == null ? known.higherKey(settledMs) - settledMs : settledMs - before;
            long ms = settlement.intervalH() == null
                    ? Math.round(apartMs / (double) HOUR_MS) * HOUR_MS
                    : settlement
                            .intervalH()
                            .multiply(BigDecimal.valueOf(HOUR_MS))
                            .longValue();
            BigDecimal of8h = settlement.rate().multiply(BigDecimal.valueOf(8 * HOUR_MS));
            closed.add(new Closed(of8h.divide(BigDecimal.valueOf(ms), 40, RoundingMode.HALF_EVEN), ms));
        });
        closed.sort(Comparator.comparing(Closed::rate8h));
        long all = closed.stream().mapToLong(Closed::ms).sum();
        for (int percent : new int[] {10, 50, 90}) {
            long passed = 0;
            int i = -1;
            while (passed * 100 < all * percent) {
                passed += closed.get(++i).ms();
            }
            // Quotients that do not end have 18 decimals.
            Object published = leg.get("rate_8h_p" + percent);
            require(
                    published instanceof BigDecimal rate
                            && rate.subtract(closed.get(i).rate8h()).abs().compareTo(ROUNDED) <= 0,
                    name + "has a percentile " + percent + " of " + published + ", not "
                            + closed.get(i).rate8h().toPlainString());
        }
    }

    private TreeMap<Long, Settlement> window(Listing listing, long startMs, long endMs) {
        return windows.computeIfAbsent(
                List.of(listing, startMs, endMs), window -> known.between(listing, startMs, endMs));
    }

    private static BigDecimal sum(Map<Long, Settlement> settlements) {
        return settlements.values().stream().map(Settlement::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static String ordered(Listing a, TreeMap<Long, Settlement> ofA, Listing b, TreeMap<Long, Settlement> ofB) {
        boolean first = (a.venue() + "|" + a.symbol()).compareTo(b.venue() + "|" + b.symbol()) < 0;
        return first ? lines(a, ofA) + lines(b, ofB) : lines(b, ofB) + lines(a, ofA);
    }

    private static String lines(Listing listing, TreeMap<Long, Settlement> settlements) {
        var lines = new StringBuilder();
        settlements.forEach(
                (settledMs, settlement) -> lines.append(listing.venue() + "|" + listing.symbol() + "|" + listing.epoch()
                        + "|" + settledMs + "|" + plain(settlement.rate()) + "|" + settlement.basis() + "\n"));
        return lines.toString();
    }

    private static String plain(BigDecimal rate) {
        return rate.signum() == 0 ? "0" : rate.stripTrailingZeros().toPlainString();
    }

    private static String sha256(String lines) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(lines.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Listing listing(Map<String, @Nullable Object> leg) {
        return new Listing((String) leg.get("venue"), (String) leg.get("symbol"), whole(leg.get("listing_epoch")));
    }

    private void same(String what, @Nullable Object published, @Nullable Long computed) {
        require(
                computed == null ? published == null : whole(published) == computed,
                what + " is " + published + ", not " + computed);
    }

    private void same(String what, @Nullable Object published, BigDecimal computed) {
        require(
                published instanceof BigDecimal number && number.compareTo(computed) == 0,
                what + " is " + published + ", not " + computed.toPlainString());
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            violated.accept(otherwise);
        }
    }

    static long whole(@Nullable Object number) {
        return number instanceof BigDecimal value ? value.longValueExact() : Long.MIN_VALUE;
    }
}
