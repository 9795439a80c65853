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
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** XT.COM: two books of lower-case names on two hosts; hours in the rates, seconds in the past, and one row without an interval. */
final class XtWire implements Wire {
    private static final long ID_STEP = 125_261_803;
    private static final String MARKET = ".xt.com/future/market/";
    /** No maximum is documented: 200 rows come, more have not been requested by those who counted them. */
    private static final long PAGE = 200;

    @Override
    public Traits traits() {
        return Traits.usual(721)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .scales(1_000, 1_000_000)
                .unpublished(Unpublished.VENUE_TIME);
    }

    @Override
    public String symbol(SimulatedContract contract) {
        String base = contract.priceScale() == 1_000_000 ? "1m" + contract.asset() : contract.base();
        String pair = base + "_" + contract.quote() + (contract.state() == State.DATED ? "_261225" : "");
        return pair.toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        ContractType book = request.host().startsWith("dapi") ? ContractType.INVERSE : ContractType.LINEAR;
        return switch (request.address().substring("fapi".length())) {
            case MARKET + "v1/public/cg/contracts" -> contracts(market.of(book));
            case MARKET + "v1/public/q/agg-tickers" ->
                body(result -> result.list("result", market.of(book), this::ticker));
            case MARKET + "v1/public/symbol/list" ->
                body(result -> result.list("result", market.of(book), this::symbolRow));
            case MARKET + "v3/public/symbol/list" -> symbols(market, book);
            case MARKET + "v1/public/q/funding-rate" -> one(request, market, this::single);
            case MARKET + "v1/public/q/agg-ticker" -> one(request, market, this::ticker);
            case MARKET + "v1/public/q/funding-rate-record" ->
                one(request, market, (result, l) -> history(result, l, request));
            default -> null;
        };
    }

    private String contracts(List<SimulatedContract> book) {
        List<SimulatedContract> shown =
                book.stream().filter(l -> l.state() != State.PAUSED).toList();
        return Json.list(shown, (row, l) -> {
            row.text("symbol", symbol(l))
                    .text("product_type", l.state() == State.DATED ? "FUTURES" : "PERPETUAL")
                    .text("funding_rate", l.rate())
                    .text("next_funding_rate", l.rate())
                    .number("next_funding_rate_timestamp", l.nextFundingMs())
                    .text("index_price", plain(l.indexPrice(), "0"));
            if ((l.asset().equals("LINK") && l.type() == ContractType.LINEAR) || l.state() == State.DATED) {
                row.nothing("collection_internal");
            } else {
                row.number("collection_internal", l.intervalH());
            }
        });
    }

    private void ticker(Json row, SimulatedContract l) {
        row.text("s", symbol(l)).text("m", plain(l.markPrice(), "0")).text("i", plain(l.indexPrice(), "0"));
    }

    /** Version 3 wraps what version 1 gives as a bare list. */
    private String symbols(MarketSnapshot market, ContractType book) {
        return body(envelope -> envelope.object(
                "result",
                result -> result.number("time", market.nowMs())
                        .text("version", "5fd1d3e2")
                        .list("symbols", market.of(book), this::symbolRow)));
    }

    private void symbolRow(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .text("baseCoin", symbol(l).substring(0, symbol(l).indexOf('_')))
                .text("quoteCoin", l.quote().toLowerCase(Locale.ROOT))
                .text("productType", l.state() == State.DATED ? "futures" : "perpetual")
                .text("underlyingType", l.type() == ContractType.INVERSE ? "COIN_BASED" : "U_BASED")
                .flag("tradeSwitch", l.state() != State.PAUSED)
                .flag("isOpenApi", l.isLive() || l.state() == State.DATED)
                .number("state", 0);
    }

    /** Numbers as numbers, other than in the bulk response. */
    private void single(Json row, SimulatedContract l) {
        row.text("symbol", symbol(l))
                .number("fundingRate", l.rate())
                .number("nextCollectionTime", l.nextFundingMs())
                .number("collectionInternal", l.intervalH());
    }

    /**
     * Newest first; {@code id} with {@code direction=NEXT} continues after that row. The id of a row does not
     * encode a time.
     */
    private void history(Json result, SimulatedContract l, SimulatedRequest request) {
        String after = request.param("id");
        boolean next = "NEXT".equals(request.param("direction"));
        List<Settled> rest = l.settled().reversed().stream()
                .filter(s -> after == null || !next || s.settledMs() < settledMs(after))
                .toList();
        List<Settled> page =
                rest.stream().limit(Math.min(PAGE, request.number("limit", 10))).toList();
        result.flag("hasPrev", after != null)
                .flag("hasNext", page.size() < rest.size())
                .list(
                        "items",
                        page,
                        (row, s) -> row.text("id", id(s.settledMs()))
                                .text("symbol", symbol(l))
                                .text("fundingRate", s.rate())
                                .number("createdTime", s.settledMs())
                                .number("collectionInternal", s.intervalH() * 3_600L));
    }

    private static String id(long settledMs) {
        return Long.toString(settledMs / 1_000 * ID_STEP);
    }

    private static long settledMs(String id) {
        return Long.parseLong(id) / ID_STEP * 1_000;
    }

    private @Nullable String one(
            SimulatedRequest request, MarketSnapshot market, BiConsumer<Json, SimulatedContract> members) {
        SimulatedContract contract = market.find(this, request.param("symbol"));
        return contract == null ? null : body(result -> result.object("result", row -> members.accept(row, contract)));
    }

    private static String body(Consumer<Json> result) {
        return Json.object(body -> {
            body.number("returnCode", 0).text("msgInfo", "success").nothing("error");
            result.accept(body);
        });
    }

    @Override
    public Errors errors() {
        return Errors.byStatus(
                "{\"returnCode\":1,\"msgInfo\":\"failure\",\"error\":{\"code\":\"invalid_symbol\"},\"result\":null}",
                "");
    }
}
