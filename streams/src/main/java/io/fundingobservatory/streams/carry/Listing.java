package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.core.Decimals;
import io.fundingobservatory.topics.ContractType;
import io.fundingobservatory.topics.Rate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a ticker: which listing of it this is, its last reading, and what the pair table has been told.
 *
 * @param epoch counted up when asset, contract type or price scale of the ticker change
 * @param sinceMs payments up to this instant belong to an earlier listing, epoch ms; for the first, the beginning of time
 * @param asset the normalised asset name
 * @param type how the contract is margined
 * @param priceScale coins that one priced unit stands for
 * @param last its last reading
 * @param told what the pair table has been told
 */
public record Listing(
        long epoch, long sinceMs, String asset, ContractType type, BigDecimal priceScale, Reading last, Told told) {
    /** A price moves all the time; the pair table needs it only to tell coins apart. */
    private static final long PRICE_EVERY_MS = 10 * 60_000;

    private static final long SIGN_OF_LIFE_EVERY_MS = Window.DAY_MS;

    /**
     * What the pair table has been told.
     *
     * @param intervalH hours between payments; null when unknown
     * @param coinPrice mark price per coin; null when unknown
     * @param atMs when, epoch ms
     */
    public record Told(
            @Nullable BigDecimal intervalH, @Nullable BigDecimal coinPrice, long atMs) {}

    /** The first listing of a ticker, or the one that follows another. */
    public static Listing after(@Nullable Listing former, Rate rate, long nowMs) {
        Reading reading = Reading.of(rate);
        return new Listing(
                former == null ? 0 : former.epoch + 1,
                former == null ? Long.MIN_VALUE : former.last.observedAtMs(),
                rate.asset(),
                rate.contractType(),
                rate.priceScale(),
                reading,
                new Told(reading.paidEveryH(), reading.coinPrice(), nowMs));
    }

    /** Whether a row is of this listing, and not of another under the same ticker. */
    public boolean covers(Rate rate) {
        return asset.equals(rate.asset())
                && type == rate.contractType()
                && priceScale.compareTo(rate.priceScale()) == 0;
    }

    /** The same listing with its newest reading; what is told anew is told as of {@code nowMs}. */
    public Listing read(Reading reading, long nowMs) {
        boolean tell = !Decimals.same(told.intervalH, reading.paidEveryH())
                || (nowMs - told.atMs >= PRICE_EVERY_MS && !Decimals.same(told.coinPrice, reading.coinPrice()))
                || nowMs - told.atMs >= SIGN_OF_LIFE_EVERY_MS;
        Told now = tell ? new Told(reading.paidEveryH(), reading.coinPrice(), nowMs) : told;
        return new Listing(epoch, sinceMs, asset, type, priceScale, reading, now);
    }
}
