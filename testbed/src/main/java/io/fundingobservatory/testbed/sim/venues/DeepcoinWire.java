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
import io.fundingobservatory.topics.records.ContractType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deepcoin: two spellings of every contract, seconds, dead names among the rates, a false interval for some
 * contracts. History has 100 rates a page, and no rows where a larger page is requested.
 */
final class DeepcoinWire implements Wire {
    private static final String ROOT = "api.deepcoin.com/deepcoin/";
    private static final long HOUR_MS = 3_600_000;
    private static final long USUAL_PAGE = 20;
    private static final long PAGE = 100;
    /** One of so many contracts declares a shorter interval than it has. */
    private static final int ONE_FALSE_OF = 40;

    @Override
    public Traits traits() {
        return Traits.usual(590)
                .dead(135)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .states(State.DELISTED, State.PAUSED, State.PRE_LISTING)
                .unpublished(Unpublished.INDEX_PRICE, Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.base() + "-" + contract.quote() + "-SWAP";
    }

    private static String compact(SimulatedContract contract) {
        return contract.base() + contract.quote();
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        List<SimulatedContract> book =
                market.of("Swap".equals(request.param("instType")) ? ContractType.INVERSE : ContractType.LINEAR);
        return switch (request.address()) {
            case ROOT + "trade/fund-rate/current-funding-rate" ->
                ok(body -> body.object(
                        "data",
                        data -> data.list(
                                "current_fund_rates",
                                book,
                                (row, l) -> row.text("instrumentId", compact(l)).number("fundingRate", l.rate()))));
            case ROOT + "trade/funding-rate" ->
                ok(body -> body.list("data", book, (row, l) -> declared(row, l, market.nowMs())));
            case ROOT + "market/mark-price" ->
                ok(body -> body.list(
                        "data",
                        market.listings(),
                        (row, l) -> row.text("instId", symbol(l))
                                .text("markPx", plain(l.markPrice(), "0"))
                                .text("ts", market.nowMs())));
            case ROOT + "market/instruments" ->
                ok(body -> body.list("data", market.where(l -> l.state() != State.DELISTED), this::instrument));
            case ROOT + "trade/fund-rate/history" -> history(request, market);
            default -> null;
        };
    }

    /** ESPORTSUSDT declares 1 h, with a next settlement to match, and settles every 4 h. */
    private static void declared(Json row, SimulatedContract l, long nowMs) {
        long hours = declaredHours(l);
        long next = hours == l.intervalH() ? l.nextFundingMs() : (Math.floorDiv(nowMs, HOUR_MS) + 1) * HOUR_MS;
        row.number("settleInterval", hours * 3_600L)
                .text("instrumentID", compact(l))
                .number("nextSettleTime", next / 1_000);
    }

    private static int declaredHours(SimulatedContract l) {
        return l.intervalH() == 4 && l.oneOf(ONE_FALSE_OF) == 0 ? 1 : l.intervalH();
    }

    @Override
    public boolean declaresFalsely(SimulatedContract contract) {
        return declaredHours(contract) != contract.intervalH();
    }

    private static String ok(Consumer<Json> data) {
        return Json.object(body -> data.accept(body.text("code", "0").text("msg", "")));
    }

    private void instrument(Json row, SimulatedContract l) {
        row.text("instType", "SWAP")
                .text("instId", symbol(l))
                .text("baseCcy", l.base().substring(0, Math.min(8, l.base().length())))
                .text("quoteCcy", l.quote())
                .text("ctVal", "0.001")
                .text(
                        "state",
                        switch (l.state()) {
                            case PAUSED -> "suspend";
                            case PRE_LISTING -> "preopen";
                            case LIVE, DELISTED, DATED -> "live";
                        });
    }

    private static @Nullable String history(SimulatedRequest request, MarketSnapshot market) {
        return market.listings().stream()
                .filter(l -> compact(l).equals(request.param("instId")))
                .findFirst()
                .map(l -> ok(body -> body.object(
                        "data",
                        data -> data.list(
                                "rows",
                                page(l, request),
                                (row, s) -> row.text("rate", s.rate())
                                        .number("CreateTime", s.settledMs() / 1_000)
                                        .number("ratePeriodSec", 0)))))
                .orElse(null);
    }

    /** The size is called {@code limit}, not {@code size} as documented; 200 of them get none. */
    private static List<Settled> page(SimulatedContract contract, SimulatedRequest request) {
        long size = request.number("limit", USUAL_PAGE);
        return size > PAGE
                ? List.of()
                : contract.settled().reversed().stream()
                        .skip((request.number("page", 1) - 1) * size)
                        .limit(size)
                        .toList();
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"code\":\"51\",\"msg\":\"The instType field is required\",\"data\":null}",
                "{\"code\":\"429\",\"msg\":\"Too many requests\",\"data\":null}");
    }
}
