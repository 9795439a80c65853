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
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pacifica: hourly; {@code funding} is what was paid at the last full hour and {@code next_funding} the running estimate, spot
 * pairs among the perpetuals.
 */
final class PacificaWire implements Wire {
    private static final long PAGE = 4_000;
    private static final long FIRST_LISTED_MS = 1_748_881_333_944L;
    private static final String CURSOR = "1111Yd1mZ";

    /** No dated futures there; instead spot pairs with prices and rate 0. */
    @Override
    public Traits traits() {
        return Traits.usual(70).intervals(1).quotes("USDC").states(State.DATED).unpublished(Unpublished.NEXT_FUNDING);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return isSpot(contract) ? contract.asset() + "-USDC" : base(contract);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case "api.pacifica.fi/api/v1/info/prices" -> prices(market);
            case "api.pacifica.fi/api/v1/info" -> info(market);
            case "api.pacifica.fi/api/v1/funding_rate/history" -> history(request, market);
            default -> null;
        };
    }

    private String prices(MarketSnapshot market) {
        return rows(
                market.listings(),
                (row, l) -> row.text("funding", isSpot(l) ? BigDecimal.ZERO : l.lastSettledRate())
                        .text("mark", plain(l.markPrice(), "0"))
                        .text("next_funding", isSpot(l) ? BigDecimal.ZERO : l.rate())
                        .text("oracle", plain(l.indexPrice(), ""))
                        .text("symbol", symbol(l))
                        .number("timestamp", market.nowMs() - 17));
    }

    private String info(MarketSnapshot market) {
        return rows(
                market.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("funding_rate", isSpot(l) ? BigDecimal.ZERO : l.lastSettledRate())
                        .text("next_funding_rate", isSpot(l) ? BigDecimal.ZERO : l.rate())
                        .number("created_at", FIRST_LISTED_MS)
                        .text("instrument_type", isSpot(l) ? "spot" : "perpetual")
                        .text("base_asset", base(l)));
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        if (contract == null) {
            return rows(List.<Settled>of(), (row, s) -> {});
        }
        List<Settled> newestFirst = contract.settled().reversed();
        String cursor = request.param("cursor");
        int from = cursor == null || cursor.isEmpty() ? 0 : Integer.parseInt(cursor.substring(CURSOR.length()));
        int to = (int) Math.min(newestFirst.size(), from + Math.min(PAGE, request.number("limit", 100)));
        return Json.object(body -> body.flag("success", true)
                .array(
                        "data",
                        rows -> IntStream.range(from, to).forEach(i -> rows.item(row -> record(row, newestFirst, i))))
                .text("next_cursor", to == newestFirst.size() ? null : CURSOR + to)
                .flag("has_more", to < newestFirst.size()));
    }

    /** The record of an hour: {@code next_funding_rate} is what settled at it, {@code funding_rate} what settled an hour before. */
    private static void record(Json row, List<Settled> newestFirst, int at) {
        Settled settled = newestFirst.get(at);
        BigDecimal hourBefore =
                at + 1 < newestFirst.size() ? newestFirst.get(at + 1).rate() : BigDecimal.ZERO;
        row.text("funding_rate", hourBefore)
                .text("next_funding_rate", settled.rate())
                .number("created_at", settled.settledMs() + 300 + settled.settledMs() / 3_600_000 % 4_700);
    }

    private static <T> String rows(List<T> items, BiConsumer<Json, T> members) {
        return Json.object(body -> body.flag("success", true).list("data", items, members));
    }

    private static boolean isSpot(SimulatedContract contract) {
        return contract.state() == State.DATED;
    }

    private static String base(SimulatedContract contract) {
        return contract.priceScale() == 1 ? contract.asset() : "k" + contract.asset();
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"success\":false,\"data\":null,\"error\":\"Market not found\",\"code\":404}",
                "{\"success\":false,\"data\":null,\"error\":\"Rate limit exceeded\",\"code\":429}");
    }
}
