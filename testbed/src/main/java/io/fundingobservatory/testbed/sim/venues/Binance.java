package io.fundingobservatory.testbed.sim.venues;

import static io.fundingobservatory.testbed.sim.Json.plain;

import io.fundingobservatory.testbed.sim.Call;
import io.fundingobservatory.testbed.sim.Json;
import io.fundingobservatory.testbed.sim.Listing;
import io.fundingobservatory.testbed.sim.Listing.State;
import io.fundingobservatory.testbed.sim.Moment;
import io.fundingobservatory.testbed.sim.Traits;
import io.fundingobservatory.testbed.sim.Wire;
import io.fundingobservatory.topics.ContractType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binance Futures: two books on two hosts, intervals for both in one list that leaves most 8-hour symbols out. */
final class Binance implements Wire {
    private static final long PAGE = 500;

    @Override
    public String venue() {
        return "binance";
    }

    @Override
    public Traits traits() {
        return Traits.usual(700)
                .types(ContractType.LINEAR, ContractType.INVERSE)
                .quotes("USDT", "USDC")
                .scales(1_000, 1_000_000);
    }

    @Override
    public String symbol(Listing listing) {
        String pair = listing.base() + listing.quote();
        boolean dated = listing.state() == State.DATED;
        return switch (listing.type()) {
            case INVERSE -> pair + (dated ? "_261225" : "_PERP");
            default -> pair + (dated ? "_261225" : "");
        };
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address()) {
            case "fapi.binance.com/fapi/v1/premiumIndex" -> premiumIndex(moment, ContractType.LINEAR);
            case "dapi.binance.com/dapi/v1/premiumIndex" -> premiumIndex(moment, ContractType.INVERSE);
            case "fapi.binance.com/fapi/v1/fundingInfo" -> fundingInfo(moment);
            case "fapi.binance.com/fapi/v1/exchangeInfo" -> exchangeInfo(moment, ContractType.LINEAR, "status");
            case "dapi.binance.com/dapi/v1/exchangeInfo" ->
                exchangeInfo(moment, ContractType.INVERSE, "contractStatus");
            case "fapi.binance.com/fapi/v1/fundingRate" -> fundingRate(call, moment, ContractType.LINEAR);
            case "dapi.binance.com/dapi/v1/fundingRate" -> fundingRate(call, moment, ContractType.INVERSE);
            default -> null;
        };
    }

    private String premiumIndex(Moment moment, ContractType book) {
        return Json.list(moment.of(book), (row, l) -> {
            boolean dated = l.state() == State.DATED;
            row.text("symbol", symbol(l))
                    .text("markPrice", plain(l.markPrice(), "0.00000000"))
                    .text("indexPrice", plain(l.indexPrice(), "0.00000000"))
                    .text("lastFundingRate", dated ? "" : l.rate().setScale(8).toPlainString())
                    .text("interestRate", dated ? "" : "0.00010000")
                    .number("nextFundingTime", dated ? 0 : l.nextFundingMs())
                    .number("time", moment.nowMs());
        });
    }

    private String fundingInfo(Moment moment) {
        List<Listing> told = moment.where(l -> l.intervalH() != 8 || l.asset().length() > 3);
        return Json.list(
                told,
                (row, l) -> row.text("symbol", symbol(l))
                        .text("adjustedFundingRateCap", "0.02000000")
                        .text("adjustedFundingRateFloor", "-0.02000000")
                        .number("fundingIntervalHours", l.intervalH())
                        .flag("disclaimer", false)
                        .nothing("updateTime"));
    }

    private String exchangeInfo(Moment moment, ContractType book, String statusField) {
        return Json.object(body -> body.text("timezone", "UTC")
                .number("serverTime", moment.nowMs())
                .list(
                        "symbols",
                        moment.of(book),
                        (row, l) -> row.text("symbol", symbol(l))
                                .text("pair", l.base() + l.quote())
                                .text("contractType", l.state() == State.DATED ? "CURRENT_QUARTER" : "PERPETUAL")
                                .text(statusField, status(l.state()))
                                .text("baseAsset", l.base())
                                .text("quoteAsset", l.quote())
                                .text("marginAsset", book == ContractType.INVERSE ? l.asset() : l.quote())));
    }

    private @Nullable String fundingRate(Call call, Moment moment, ContractType book) {
        Listing listing = moment.find(this, call.param("symbol"));
        if (listing == null || listing.type() != book) {
            return null;
        }
        var page = listing.settledBetween(call.number("startTime", 0), call.number("endTime", moment.nowMs())).stream()
                .limit(Math.min(PAGE, call.number("limit", 100)))
                .toList();
        return Json.list(
                page,
                (row, settled) -> row.text("symbol", symbol(listing))
                        .number("fundingTime", settled.settledMs() + settled.settledMs() / 3_600_000 % 9)
                        .text("fundingRate", settled.rate().setScale(8)));
    }

    private static String status(State state) {
        return switch (state) {
            case LIVE, DATED -> "TRADING";
            case DELISTED, PAUSED -> "SETTLING";
            case PRE_LISTING -> "PENDING_TRADING";
        };
    }

    @Override
    public String errorBody() {
        return "{\"code\":-1121,\"msg\":\"Invalid symbol.\"}";
    }

    @Override
    public String throttledBody() {
        return "{\"code\":-1003,\"msg\":\"Too many requests; current limit is 2400 requests per minute.\"}";
    }
}
