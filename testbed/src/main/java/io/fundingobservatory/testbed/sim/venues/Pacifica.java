package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Untold;
import io.fundingobservatory.testbed.sim.Wire;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Pacifica: hourly, the coming settlement's rate already fixed, a spot pair among the perpetuals. */
final class Pacifica implements Wire {
    private static final long PAGE = 4_000;

    @Override
    public String venue() {
        return "pacifica";
    }

    /** No dated futures there: in their place stand spot pairs, priced and with rate 0. */
    @Override
    public Traits traits() {
        return Traits.usual(70).intervals(1).quotes("USDC").states(State.DATED).untold(Untold.NEXT_FUNDING);
    }

    @Override
    public String symbol(Listing listing) {
        return isSpot(listing) ? listing.asset() + "-USDC" : base(listing);
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "api.pacifica.fi/api/v1/info/prices" -> prices(moment);
            case "api.pacifica.fi/api/v1/info" -> info(moment);
            case "api.pacifica.fi/api/v1/funding_rate/history" -> history(call, moment);
            default -> null;
        };
    }

    private String prices(Moment moment) {
        return rows(
                moment.listings(),
                (row, l) -> row.text("funding", isSpot(l) ? BigDecimal.ZERO : l.rate())
                        .text("mark", plain(l.markPrice(), "0"))
                        .text("next_funding", "0.0000125")
                        .text("oracle", plain(l.indexPrice(), ""))
                        .text("symbol", symbol(l))
                        .number("timestamp", moment.nowMs() - 17));
    }

    private String info(Moment moment) {
        return rows(
                moment.listings(),
                (row, l) -> row.text("symbol", symbol(l))
                        .text("funding_rate", isSpot(l) ? BigDecimal.ZERO : l.rate())
                        .text("instrument_type", isSpot(l) ? "spot" : "perpetual")
                        .text("base_asset", base(l)));
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null) {
            return null;
        }
        var page = listing.settled().reversed().stream()
                .limit(Math.min(PAGE, call.number("limit", 100)))
                .toList();
        return rows(
                page,
                (row, s) -> row.text("funding_rate", s.rate())
                        .text("next_funding_rate", "0.0000125")
                        .number("created_at", s.settledMs() + 400 + s.settledMs() / 3_600_000 % 97));
    }

    private static <T> String rows(List<T> items, BiConsumer<Json, T> members) {
        return Json.object(body -> body.flag("success", true).list("data", items, members));
    }

    private static boolean isSpot(Listing listing) {
        return listing.state() == State.DATED;
    }

    private static String base(Listing listing) {
        return listing.priceScale() == 1 ? listing.asset() : "k" + listing.asset();
    }

    @Override
    public String errorBody() {
        return "{\"success\":false,\"data\":null,\"error\":\"Market not found\",\"code\":404}";
    }

    @Override
    public String throttledBody() {
        return "{\"success\":false,\"data\":null,\"error\":\"Rate limit exceeded\",\"code\":429}";
    }
}
