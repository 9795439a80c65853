package io.fundingobservatory.testbed.sim;

import io.fundingobservatory.topics.records.AssetClass;
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One contract of a simulated venue at one instant. Exact: a correct reader must find these values again.
 *
 * @param asset the normalised asset name
 * @param priceScale coins in one priced unit: 1, or 1000 for 1000PEPE
 * @param quote the quote currency
 * @param type how it is margined
 * @param state whether it trades
 * @param intervalH funding interval in hours
 * @param rate fraction of notional per interval, for the settlement at {@code nextFundingMs}
 * @param nextFundingMs the next settlement, epoch ms
 * @param lastSettledRate fraction of notional that was charged at {@code lastFundingMs}
 * @param lastFundingMs the settlement before, epoch ms
 * @param markPrice quote currency per priced unit; null when the venue shows none at the moment
 * @param indexPrice quote currency per priced unit; null when the venue shows none at the moment
 * @param history computes past settlements, and the next one, on request; see {@link #settled()}
 * @param announced an announced interval that is not in force yet; null when none is
 */
public record SimulatedContract(
        String asset,
        int priceScale,
        String quote,
        ContractType type,
        State state,
        int intervalH,
        BigDecimal rate,
        long nextFundingMs,
        BigDecimal lastSettledRate,
        long lastFundingMs,
        @Nullable BigDecimal markPrice,
        @Nullable BigDecimal indexPrice,
        History history,
        @Nullable Announced announced) {

    /** The settlements of 33 days, oldest first, up to and including {@code lastFundingMs}. Computed at each call. */
    public List<Settled> settled() {
        return history.between(Long.MIN_VALUE, lastFundingMs);
    }

    /** The same and the period that runs: what accrues continuously is charged of it before it ends. */
    public List<Settled> settledAndRunning() {
        return history.between(Long.MIN_VALUE, nextFundingMs);
    }

    /** What settled from one instant to another, epoch ms, both included; oldest first. */
    public List<Settled> settledBetween(long fromMs, long toMs) {
        return history.between(fromMs, Math.min(toMs, lastFundingMs));
    }

    /** As {@link #settledBetween}, newest first and at most so many: a page of most exchanges. */
    public List<Settled> newestSettled(long fromMs, long toMs, long most) {
        return settledBetween(fromMs, toMs).reversed().stream().limit(most).toList();
    }

    /** The asset as most exchanges spell it: {@code 1000PEPE} for a contract that is priced by the thousand. */
    public String base() {
        return priceScale == 1 ? asset : priceScale + asset;
    }

    /** Whether its last settlement was less than so many seconds ago. */
    public boolean hasJustSettled(long nowMs, int seconds) {
        return nowMs >= lastFundingMs && nowMs - lastFundingMs < seconds * 1_000L;
    }

    public boolean isLive() {
        return state == State.LIVE;
    }

    /** Whether its asset is a share, which pays dividends and trades while its stock market is open. */
    public boolean isShare() {
        return Assets.isShare(asset);
    }

    /** What its underlying is: a share, a metal or a coin. */
    public AssetClass assetClass() {
        return isShare() ? AssetClass.EQUITY : Assets.isMetal(asset) ? AssetClass.COMMODITY : AssetClass.CRYPTO;
    }

    /** The same where it is one of the classes that a venue states; null otherwise. */
    public @Nullable AssetClass assetClassAmong(AssetClass... stated) {
        return List.of(stated).contains(assetClass()) ? assetClass() : null;
    }

    /** The dividend adjustments of its share in these 33 days, oldest first: payments in addition to funding; see {@link Dividends}. */
    public List<Dividend> dividendsBetween(long fromMs, long toMs) {
        return isShare() ? Dividends.of(asset, Math.max(fromMs, nextFundingMs - Dividends.REACH_MS), toMs) : List.of();
    }

    /**
     * Assigns the contract to one of {@code n} equal parts of all contracts, the same at every instant. A
     * wire uses it to choose between several spellings of a row.
     */
    public int oneOf(int parts) {
        return Noise.pick(Noise.mix(priceScale + 1_000_003L * parts, asset + quote + type), parts);
    }

    /** Whether a contract is one that a reader must show. */
    public enum State {
        /** A perpetual that trades: the only one that a reader shows. */
        LIVE,
        /** Gone, its row still there. */
        DELISTED,
        /** Halted, its row still there. */
        PAUSED,
        /** Announced, not trading yet. */
        PRE_LISTING,
        /** A future with an expiry. */
        DATED
    }

    /** Computes the settlements of 33 days and the next one. */
    @FunctionalInterface
    public interface History {
        /** What settles from one instant to another, epoch ms, both included; oldest first. */
        List<Settled> between(long fromMs, long toMs);
    }

    /**
     * A change of the settlement interval that the exchange has announced.
     *
     * @param intervalH the interval to come, in hours
     * @param fromMs the settlement from which it is in force, epoch ms
     */
    public record Announced(int intervalH, long fromMs) {}

    /**
     * A dividend that an exchange books like a settlement.
     *
     * @param bookedMs epoch ms, exactly on the hour: the ordinary settlement's instant
     * @param rate fraction of notional that the longs receive less, always negative
     */
    public record Dividend(long bookedMs, BigDecimal rate) {}

    /**
     * One settlement.
     *
     * @param settledMs epoch ms, exactly on the hour (a wire adds its own jitter)
     * @param rate fraction of notional that was charged
     * @param intervalH the interval that it closed, in hours
     */
    public record Settled(long settledMs, BigDecimal rate, int intervalH) {}
}
