package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LBank: one list of perpetuals in USDT, intervals in seconds. Announced contracts have no rate yet; ended
 * ones keep their row with another status. No settled history.
 */
final class LbankWire implements Wire {
    @Override
    public Traits traits() {
        return Traits.usual(1_000)
                .dead(50)
                .states(State.PRE_LISTING, State.DELISTED, State.PAUSED)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + contract.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return request.address().equals("lbkperp.lbank.com/cfd/openApi/v1/pub/marketData")
                ? marketData(request, market)
                : null;
    }

    /** An unknown group gets an empty list. */
    private String marketData(SimulatedRequest request, MarketSnapshot market) {
        List<SimulatedContract> group = "SwapU".equals(request.param("productGroup")) ? market.listings() : List.of();
        return Json.object(body -> body.list("data", group, (row, l) -> {
                    row.text("symbol", symbol(l))
                            .text("underlyingPrice", plain(l.indexPrice(), "0.0"))
                            .text("markedPrice", plain(l.markPrice(), "0.0"))
                            .text("instrumentStatus", status(l.state()))
                            .number("needSuspend", l.isShare() && l.oneOf(9) == 0 ? 1 : 0);
                    if (l.state() != State.PRE_LISTING) {
                        row.text("fundingRate", l.rate())
                                .text("positionFeeRate", l.rate())
                                .number("positionFeeTime", l.intervalH() * 3_600L)
                                .number("nextFeeTime", l.nextFundingMs());
                    }
                })
                .number("error_code", 0)
                .text("msg", "Success")
                .text("result", "true")
                .flag("success", true));
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, PRE_LISTING, DATED -> "2";
            case DELISTED -> "6";
            case PAUSED -> "3";
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"error_code\":20156,\"msg\":\"This product has been delisted.\",\"result\":\"false\",\"success\":false}",
                "{\"error_code\":183,\"msg\":\"too many queries per second\",\"result\":\"false\",\"success\":false}");
    }
}
