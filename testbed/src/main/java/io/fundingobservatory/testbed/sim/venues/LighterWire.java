package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Traits.Unpublished;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ListedVenue;
import io.fundingobservatory.topics.ListedVenue.Instance;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lighter: rates per 8 hours next to those of other venues, and markets by number, some of them reduce-only,
 * hidden or announced. Settled percents have no sign; a window has the newest 750.
 */
final class LighterWire implements Wire {
    private static final BigDecimal HOURS = BigDecimal.valueOf(8);
    private static final long PAGE = 750;

    private final String venue;
    private final Instance instance;

    LighterWire(ListedVenue listed) {
        this.venue = listed.id();
        this.instance = Objects.requireNonNull(listed.instance());
    }

    @Override
    public String venue() {
        return venue;
    }

    @Override
    public Traits traits() {
        return Traits.usual(venue.equals("lighter") ? 234 : 57)
                .dead(65)
                .intervals(1)
                .quotes(instance.quote())
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.VENUE_TIME)
                .rateDecimals(6);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot moment) {
        String path = request.address().replaceFirst("^" + Pattern.quote(instance.host()) + "/api/v1/", "");
        return switch (path) {
            case "funding-rates" -> fundingRates(moment);
            case "orderBookDetails" -> orderBookDetails(moment);
            case "fundings" -> fundings(request, moment);
            default -> null;
        };
    }

    private String fundingRates(MarketSnapshot moment) {
        return Json.object(body -> body.number("code", 200).array("funding_rates", rates -> {
            for (SimulatedContract l : moment.listings()) {
                BigDecimal rate = l.rate().multiply(HOURS);
                rates.item(row -> rate(row, moment, l, "binance", rate.add(BigDecimal.ONE.movePointLeft(5))));
                rates.item(row -> rate(row, moment, l, "lighter", rate));
            }
        }));
    }

    private void rate(Json row, MarketSnapshot moment, SimulatedContract contract, String exchange, BigDecimal rate) {
        row.number("market_id", moment.listings().indexOf(contract))
                .text("exchange", exchange)
                .text("symbol", symbol(contract))
                .number("rate", rate);
    }

    private String orderBookDetails(MarketSnapshot moment) {
        return Json.object(body -> body.number("code", 200)
                .list("order_book_details", moment.listings(), (row, l) -> {
                    row.text("symbol", symbol(l))
                            .number("market_id", moment.listings().indexOf(l))
                            .text("market_type", "perp")
                            .text("status", l.state() == State.DELISTED ? "inactive" : "active")
                            .object(
                                    "market_config",
                                    config -> config.flag(
                                                    "force_reduce_only", l.state() == State.PAUSED && l.oneOf(2) == 0)
                                            .flag("hidden", l.state() == State.PAUSED && l.oneOf(2) == 1))
                            .text("created_at", createdMs(l, moment));
                    if (l.markPrice() != null) {
                        row.text("mark_price", l.markPrice());
                    }
                    row.text("index_price", Json.plain(l.indexPrice(), ""));
                })
                .array("spot_order_book_details", none -> {}));
    }

    private static long createdMs(SimulatedContract l, MarketSnapshot moment) {
        return l.state() == State.PRE_LISTING ? moment.nowMs() + 3 * 86_400_000L : 1_736_000_000_000L;
    }

    private @Nullable String fundings(SimulatedRequest request, MarketSnapshot moment) {
        int market = (int) request.number("market_id", -1);
        if (market < 0 || market >= moment.listings().size()) {
            return null;
        }
        var page = moment.listings()
                .get(market)
                .newestSettled(
                        request.number("start_timestamp", 0) * 1_000, request.number("end_timestamp", 0) * 1_000, PAGE)
                .reversed();
        return Json.object(body -> body.number("code", 200)
                .text("resolution", "1h")
                .list(
                        "fundings",
                        page,
                        (row, s) -> row.number("timestamp", s.settledMs() / 1_000)
                                .text("rate", s.rate().abs().movePointRight(2).setScale(4))
                                .text("direction", s.rate().signum() < 0 ? "short" : "long")));
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"code\":20001,\"message\":\"invalid param\"}",
                "{\"code\":23000,\"message\":\"Too Many Requests!\"}");
    }
}
