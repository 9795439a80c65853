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

/** Bitfinex: rows whose positions count, numbers or null, and a past of one row every few minutes. */
final class BitfinexWire implements Wire {
    private static final String STATUS = "/v2/status/deriv";
    private static final long STEP_MS = 5 * 60_000L;
    private static final long INTERVAL_MS = 8 * 3_600_000L;
    private static final long PAGE = 5_000;

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
                rows.items(row -> row(row.item(symbol(l)), market.nowMs(), l));
            }
        });
    }

    /** Positions 1 to 23; the 22nd and 23rd are missing on rows that have not been touched for long. */
    private static void row(Json row, long atMs, SimulatedContract l) {
        cells(row, atMs, l.nextFundingMs(), l.isLive() ? l.rate() : null, l.markPrice());
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
        long to = request.number("end", market.nowMs());
        long page = Math.min(PAGE, request.number("limit", PAGE));
        return Json.array(rows -> {
            long written = 0;
            for (Settled s : contract.settledBetween(from, to)) {
                long first = Math.max(s.settledMs() - INTERVAL_MS + STEP_MS, (from + STEP_MS - 1) / STEP_MS * STEP_MS);
                for (long at = first; at <= s.settledMs() && written < page; at += STEP_MS, written++) {
                    long minute = at;
                    rows.items(row -> cells(row, minute, s.settledMs(), s.rate(), null));
                }
            }
        });
    }

    @Override
    public Errors errors() {
        return Errors.inBand("[\"error\",10020,\"keys: invalid\"]", "{\"error\":\"ERR_RATE_LIMIT\"}");
    }
}
