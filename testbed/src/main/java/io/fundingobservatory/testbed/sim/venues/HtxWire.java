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
import io.fundingobservatory.topics.records.ContractType;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** HTX swaps: two books, the interval only in the list of contracts, zero as 0E-18, and index prices that freeze for ever. */
final class HtxWire implements Wire {
    private static final String LINEAR = "api.hbdm.com/linear-swap-api/v1/";
    private static final String INVERSE = "api.hbdm.com/swap-api/v1/";
    private static final long LONG_AGO_MS = 40L * 24 * 3_600_000;

    @Override
    public Traits traits() {
        return Traits.usual(260)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .scales(1)
                .unpublished(Unpublished.MARK_PRICE)
                .rateDecimals(12);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        return contract.asset() + "-" + contract.quote() + (contract.state() == State.DATED ? "-261225" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        String address = request.address();
        boolean inverse = address.startsWith(INVERSE);
        if (!inverse && !address.startsWith(LINEAR)) {
            return null;
        }
        List<SimulatedContract> book = market.of(inverse ? ContractType.INVERSE : ContractType.LINEAR);
        long nowMs = market.nowMs();
        return switch (address.substring((inverse ? INVERSE : LINEAR).length())) {
            case "swap_batch_funding_rate" -> enveloped(nowMs, book, this::fundingRate);
            case "swap_index" ->
                enveloped(
                        nowMs,
                        book.stream().filter(l -> l.state() != State.DATED).toList(),
                        (row, l) -> index(row, l, nowMs));
            case "swap_contract_info" -> enveloped(nowMs, book, (row, l) -> contract(row, l, inverse));
            case "swap_historical_funding_rate" -> history(request, market, book);
            default -> null;
        };
    }

    private void fundingRate(Json row, SimulatedContract l) {
        boolean dated = l.state() == State.DATED;
        boolean dead = !l.isLive() && !dated;
        row.nothing("estimated_rate")
                .text("funding_rate", dated ? null : spelled(l.rate()))
                .text("contract_code", symbol(l))
                .text("symbol", l.asset())
                .text("fee_asset", l.type() == ContractType.INVERSE ? l.asset() : l.quote())
                .text("funding_time", dated ? null : Long.toString(l.nextFundingMs() - (dead ? LONG_AGO_MS : 0)))
                .nothing("next_funding_time")
                .text("trade_partition", l.quote());
    }

    private void index(Json row, SimulatedContract l, long nowMs) {
        row.raw("index_price", plain(l.indexPrice(), "0"))
                .number("index_ts", l.isLive() ? nowMs - 2_500 : nowMs - LONG_AGO_MS)
                .text("contract_code", symbol(l));
    }

    private void contract(Json row, SimulatedContract l, boolean inverse) {
        boolean dated = l.state() == State.DATED;
        row.text("symbol", l.asset())
                .text("contract_code", symbol(l))
                .raw("contract_size", inverse ? "10.000000000000000000" : "0.001")
                .text("settlement_date", l.nextFundingMs())
                .text("settlement_period", l.intervalH())
                .number("contract_status", status(l.state()));
        if (!inverse) {
            row.text("business_type", dated ? "futures" : "swap")
                    .text("pair", l.asset() + "-" + l.quote())
                    .text("contract_type", dated ? "quarter" : "swap");
        }
    }

    private String history(SimulatedRequest request, MarketSnapshot market, List<SimulatedContract> book) {
        SimulatedContract contract = market.find(this, request.param("contract_code"));
        if (contract == null || !book.contains(contract)) {
            return errorBody();
        }
        long number = request.number("page_index", 1);
        long size = Math.min(100, request.number("page_size", 20));
        var settled = contract.settled().reversed();
        var page = settled.stream().skip((number - 1) * size).limit(size).toList();
        return Json.object(body -> body.text("status", "ok")
                .object(
                        "data",
                        data -> data.number("total_page", (settled.size() + size - 1) / size)
                                .number("current_page", number)
                                .number("total_size", settled.size())
                                .list(
                                        "data",
                                        page,
                                        (row, s) -> row.text("avg_premium_index", "0.000049895833333333")
                                                .text("funding_rate", spelled(s.rate()))
                                                .text("realized_rate", spelled(s.rate()))
                                                .text("funding_time", s.settledMs())
                                                .text("contract_code", symbol(contract))
                                                .text("symbol", contract.asset())))
                .number("ts", market.nowMs()));
    }

    /** Eighteen decimals; zero comes out as 0E-18, as it does there. */
    private static String spelled(BigDecimal rate) {
        return rate.signum() == 0 ? "0E-18" : rate.setScale(18).toPlainString();
    }

    private static <T> String enveloped(long nowMs, List<T> rows, BiConsumer<Json, T> members) {
        return Json.object(
                body -> body.text("status", "ok").list("data", rows, members).number("ts", nowMs));
    }

    private static int status(State state) {
        return switch (state) {
            case LIVE, DATED -> 1;
            case DELISTED -> 8;
            case PAUSED -> 3;
            case PRE_LISTING -> 0;
        };
    }

    @Override
    public Errors errors() {
        return Errors.inBand(
                "{\"status\":\"error\",\"err_code\":1014,\"err_msg\":\"This contract doesnt exist.\",\"ts\":1789999998111}",
                "{\"status\":\"error\",\"err_code\":1032,\"err_msg\":\"The number of visits exceeds the limit\"}");
    }
}
