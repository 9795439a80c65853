package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.Settled;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Bitfinex: rows whose positions count, numbers or null, and a past of one row every few minutes. A row is up to
 * 9.8 s old when it is received. Less than 54 s after a settlement, which no recording covers, a row has the new
 * instant with the old rate.
 */
final class BitfinexWire implements Wire {
    private static final String STATUS = "/v2/status/deriv";
    private static final long STEP_MS = 5 * 60_000L;
    private static final long INTERVAL_MS = 8 * 3_600_000L;
    private static final long PAGE = 5_000;
    private static final long OLDEST_MS = 9_800;
    private static final int UNSEEN_S = 54;
    private static final long STAMPED_MS = 31_000;

    @Override
    public Traits traits() {
        return Traits.usual(60)
                .fixed()
                .intervals(8)
                .states(State.DELISTED)
                .scales(1)
                .unpublished(Unpublished.INDEX_PRICE);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return "t" + contract.asset() + "F0:USTF0";
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        if (request.path().equals(STATUS)) {
            return status(market);
        }
        String history = request.pathAfter(STATUS + "/");
        return history == null || !history.endsWith("/hist")
                ? null
                : history(request, market.find(this, history.substring(0, history.length() - 5)), market);
    }

    private String status(MarketSnapshot market) {
        return Json.array(rows -> {
            rows.items(row -> row(
                    row.item("tTESTBTCF0:TESTUSDTF0"),
                    market.nowMs(),
                    market.listings().getFirst()));
            for (SimulatedContract l : market.listings()) {
                long atMs = market.nowMs() - l.oneOf(4) * OLDEST_MS / 4;
                rows.items(row -> row(row.item(symbol(l)), atMs, l));
            }
        });
    }

    /** Positions 1 to 23; the 22nd and 23rd are missing on rows that have not been touched for long. */
    private static void row(Json row, long atMs, SimulatedContract l) {
        boolean before = atMs < l.lastFundingMs();
        BigDecimal rate = before || l.hasJustSettled(atMs, UNSEEN_S) ? l.lastSettledRate() : l.rate();
        cells(row, atMs, before ? l.lastFundingMs() : l.nextFundingMs(), l.isLive() ? rate : null, l.markPrice());
        if (l.asset().length() > 3) {
            row.itemRaw("null")
                    .itemRaw("null")
                    .itemRaw("null")
                    .itemRaw("0.0005")
                    .itemRaw("0.0025");
        }
    }

    private static void cells(Json row, long atMs, long nextMs, @Nullable BigDecimal rate, @Nullable BigDecimal mark) {
        row.itemRaw(Long.toString(atMs)).itemRaw("null");
        row.itemRaw("1.5").itemRaw("1.5").itemRaw("null").itemRaw("64745826.6").itemRaw("null");
        row.itemRaw(Long.toString(nextMs)).itemRaw("0.0001").itemRaw("2362").itemRaw("null");
        row.itemRaw(plain(rate, "null")).itemRaw("null").itemRaw("null");
        row.itemRaw(plain(mark, "null")).itemRaw("null").itemRaw("null").itemRaw("8872.1");
    }

    private static @Nullable String history(
            SimulatedRequest request, @Nullable SimulatedContract contract, MarketSnapshot market) {
        if (contract == null) {
            return null;
        }
        long from = request.number("start", 0);
        long to = Math.min(market.nowMs(), request.number("end", market.nowMs()));
        long page = Math.min(PAGE, request.number("limit", PAGE));
        return Json.array(rows -> {
            long written = 0;
            BigDecimal before = null;
            for (Settled s : contract.settledAndRunning()) {
                long began = s.settledMs() - INTERVAL_MS;
                BigDecimal old = before == null ? s.rate() : before;
                before = s.rate();
                for (long at = began + STAMPED_MS; at < s.settledMs() && written < page; at += STEP_MS) {
                    if (at < from || at > to) {
                        continue;
                    }
                    written++;
                    long minute = at;
                    BigDecimal rate = at < began + UNSEEN_S * 1_000L ? old : s.rate();
                    rows.items(row -> cells(row, minute, s.settledMs(), rate, null));
                }
            }
        });
    }

    @Override
    public Errors errors() {
        return Errors.inBand("[\"error\",10020,\"keys: invalid\"]", "{\"error\":\"ERR_RATE_LIMIT\"}");
    }
}
