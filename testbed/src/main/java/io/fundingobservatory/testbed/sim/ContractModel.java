package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One contract of the model for all time: each value is a function of the instant alone, so a restart changes nothing.
 *
 * @param key what its chance hangs on: seed, exchange and name
 * @param venueKey what its exchange's chance hangs on
 * @param assetKey what its asset's chance hangs on: the same on every exchange, so that prices agree between them
 * @param basePrice what one coin costs about
 */
record ContractModel(
        Traits traits,
        Dispersion dispersion,
        long key,
        long venueKey,
        long assetKey,
        BigDecimal basePrice,
        String asset,
        int priceScale,
        String quote,
        ContractType type,
        SimulatedContract.State state) {

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int HISTORY_DAYS = 33;
    /** A contract whose interval changes does so every five days. */
    private static final long REGIME_DAYS = 5;

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal EIGHTH = new BigDecimal("0.125");
    private static final BigDecimal MOST = new BigDecimal("0.02");
    private static final MathContext INDEX_DIGITS = new MathContext(7);
    private static final MathContext MARK_DIGITS = new MathContext(6);

    SimulatedContract at(long nowMs) {
        int hours = intervalAt(nowMs);
        long next = (Math.floorDiv(nowMs, hours * HOUR) + 1) * hours * HOUR;
        long last = next - hours * HOUR;
        int lastHours = intervalAt(last - 1);
        BigDecimal index = index(nowMs);
        return new SimulatedContract(
                asset,
                priceScale,
                quote,
                type,
                state,
                hours,
                estimate(nowMs, next, hours),
                next,
                settledRate(last, lastHours),
                last,
                mark(nowMs, index),
                hides(nowMs, 2) ? null : index,
                (fromMs, toMs) -> settled(next, fromMs, toMs),
                announced(nowMs, hours));
    }

    /** A change is announced a day ahead. */
    private SimulatedContract.@Nullable Announced announced(long nowMs, int hoursNow) {
        long day = Math.floorDiv(nowMs, DAY) * DAY;
        int hoursThen = intervalAt(day + DAY);
        return hoursThen == hoursNow ? null : new SimulatedContract.Announced(hoursThen, day + DAY);
    }

    /** The settlements from one instant to another, of the last 33 days and the one to come; oldest first. */
    private List<Settled> settled(long next, long fromMs, long toMs) {
        var settled = new ArrayList<Settled>();
        long instant = next;
        long first = Math.max(fromMs, next - intervalAt(next - 1) * HOUR - HISTORY_DAYS * DAY + 1);
        while (instant >= first) {
            int hours = intervalAt(instant - 1);
            if (instant <= toMs) {
                settled.add(new Settled(instant, settledRate(instant, hours), hours));
            }
            instant -= hours * HOUR;
        }
        Collections.reverse(settled);
        return settled;
    }

    /** The interval in force; it changes only where settlements of all intervals fall together. */
    private int intervalAt(long atMs) {
        List<Integer> choices = traits.intervals();
        boolean changes = Noise.among(key + 1, 40);
        long regime = changes
                ? Math.floorDiv(Math.floorDiv(atMs, DAY) + Noise.pick(key + 2, (int) REGIME_DAYS), REGIME_DAYS)
                : 0;
        return choices.get(Noise.pick(Noise.mix(key + 3, regime), choices.size()));
    }

    /** What is charged at a settlement: known to the model beforehand, to exchanges only afterwards. */
    private BigDecimal settledRate(long atMs, int hours) {
        long blockMs = Math.max(1, traits.fixedForH()) * HOUR;
        long settledMs = Math.ceilDiv(atMs, blockMs) * blockMs; // of the last one of its block
        if (Noise.among(Noise.mix(key + 4, settledMs), 30)) {
            return BigDecimal.ZERO;
        }
        // in 1e-9 per 8 hours; many contracts sit at the usual basis point
        long usual = Noise.among(Noise.mix(key + 5, settledMs), 150)
                ? 100_000
                : 60_000
                        + Noise.walk(assetKey + 6, settledMs, 3 * DAY, 250_000)
                        + Noise.walk(key + 7, settledMs, DAY, 120_000)
                        + Noise.walk(key + 8, settledMs, HOUR, 9_999);
        long own = dispersion.applied(usual, venueKey + 15, key + 16, settledMs);
        return rate(BigDecimal.valueOf(own * hours).movePointLeft(9));
    }

    /** The running estimate: off by less and less until it is the settled rate. A fixed rate is that one from the beginning. */
    private BigDecimal estimate(long nowMs, long next, int hours) {
        if (traits.fixedForH() > 0) {
            return settledRate(next, hours);
        }
        BigDecimal settled = settledRate(next, hours).multiply(BigDecimal.valueOf(8));
        long left = next - nowMs;
        long off = Noise.walk(key + 9, nowMs, 5 * MINUTE, 40_000) * left / (hours * HOUR);
        return rate(settled.add(BigDecimal.valueOf(off * hours).movePointLeft(9)));
    }

    /** From eighths of an interval's rate to the fraction that the exchange publishes. */
    private BigDecimal rate(BigDecimal eighths) {
        BigDecimal exact = eighths.multiply(EIGHTH).min(MOST).max(MOST.negate());
        return exact.setScale(traits.rateDecimals(), RoundingMode.HALF_EVEN).stripTrailingZeros();
    }

    private BigDecimal index(long nowMs) {
        long ppm = Noise.walk(assetKey + 10, nowMs, 7 * DAY, 80_000)
                + Noise.walk(assetKey + 11, nowMs, 6 * HOUR, 15_000)
                + Noise.walk(assetKey + 12, nowMs, 3 * MINUTE, 800)
                + Noise.walk(key + 13, nowMs, 10 * MINUTE, 150);
        return price(basePrice.multiply(BigDecimal.valueOf(priceScale)), ppm, INDEX_DIGITS);
    }

    private @Nullable BigDecimal mark(long nowMs, BigDecimal index) {
        if (!traits.publishes(Traits.Unpublished.INDEX_IS_MARK)) {
            return hides(nowMs, 2) ? null : index;
        }
        return hides(nowMs, 1) ? null : price(index, Noise.walk(key + 14, nowMs, MINUTE, 900), MARK_DIGITS);
    }

    private static BigDecimal price(BigDecimal around, long ppm, MathContext digits) {
        BigDecimal moved = around.multiply(MILLION.add(BigDecimal.valueOf(ppm)))
                .movePointLeft(6)
                .round(digits);
        return moved.setScale(Math.max(0, moved.scale()), RoundingMode.UNNECESSARY);
    }

    /** Now and then an exchange shows no price for an hour; never where the rate itself is expressed through it. */
    private boolean hides(long nowMs, int which) {
        return traits.publishes(Traits.Unpublished.EXACT_RATE)
                && Noise.among(Noise.mix(key + which, Math.floorDiv(nowMs, HOUR)), 8);
    }
}
