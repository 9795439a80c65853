package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Errors;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.MarketSnapshot;
import io.fundingobservatory.testbed.sim.SimulatedContract;
import io.fundingobservatory.testbed.sim.SimulatedContract.State;
import io.fundingobservatory.testbed.sim.SimulatedRequest;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.records.ContractType;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Delta Exchange: percent per interval, the interval in seconds among the products, times in microseconds. */
final class DeltaWire implements Wire {
    private static final String V2 = "api.delta.exchange/v2/";

    @Override
    public Traits traits() {
        return Traits.usual(10)
                .types(ContractType.LINEAR, ContractType.INVERSE, ContractType.QUANTO)
                .scales(1);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String name = contract.asset() + contract.quote();
        return name
                + (contract.type() == ContractType.QUANTO ? "_Q" : "")
                + (contract.state() == State.DATED ? "_251226" : "");
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address()) {
            case V2 + "tickers" -> result(market, (row, l) -> ticker(row, l, market));
            case V2 + "products" -> result(market, this::product);
            default -> null;
        };
    }

    private static String result(MarketSnapshot market, BiConsumer<Json, SimulatedContract> members) {
        return Json.object(
                body -> body.list("result", market.listings(), members).flag("success", true));
    }

    private void ticker(Json row, SimulatedContract l, MarketSnapshot market) {
        row.text("symbol", symbol(l))
                .text("contract_type", contractType(l))
                .text("funding_rate", l.rate().movePointRight(2))
                .text("mark_price", l.markPrice())
                .text("spot_price", l.indexPrice())
                .number("close", l.markPrice())
                .number("timestamp", market.nowMs() * 1_000 + 456);
    }

    private void product(Json row, SimulatedContract l) {
        String settling = switch (l.type()) {
            case LINEAR -> l.quote();
            case INVERSE -> l.asset();
            case QUANTO -> "BTC";
        };
        row.text("symbol", symbol(l))
                .text("contract_type", contractType(l))
                .text(
                        "state",
                        switch (l.state()) {
                            case DELISTED -> "expired";
                            case PRE_LISTING -> "upcoming";
                            case LIVE, PAUSED, DATED -> "live";
                        })
                .text("trading_status", l.state() == State.PAUSED ? "disrupted_cancel_only" : "operational")
                .text("contract_value", "100")
                .text("notional_type", l.type() == ContractType.INVERSE ? "inverse" : "vanilla")
                .flag("is_quanto", l.type() == ContractType.QUANTO)
                .object("underlying_asset", asset -> asset.text("symbol", l.asset()))
                .object("quoting_asset", asset -> asset.text("symbol", l.quote()))
                .object("settling_asset", asset -> asset.text("symbol", settling))
                .object("product_specs", specs -> specs.number("rate_exchange_interval", l.intervalH() * 3_600L));
    }

    private static String contractType(SimulatedContract l) {
        return l.state() == State.DATED ? "futures" : "perpetual_futures";
    }

    @Override
    public boolean needsUserAgent() {
        return true;
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"success\":false,\"error\":{\"code\":\"not_found\",\"context\":{}}}",
                "{\"success\":false,\"error\":{\"code\":\"rate_limit\",\"context\":{}}}");
    }
}
