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
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hyperliquid: one endpoint, and the posted body names the request. Contracts and rates are two lists joined
 * by position. Ten builder dexes exist, of which six list nothing that still trades.
 */
final class HyperliquidWire implements Wire {
    private static final List<String> LIVE_DEXES = List.of("xyz", "para", "io", "mkts");
    private static final List<String> DEAD_DEXES = List.of("flx", "vntl", "hyna", "km", "abcd", "cash");
    private static final long PAGE = 500;
    /**
     * Share of the USDC contracts on {@code xyz}, in addition to the shares: 109 live contracts there, 178 on
     * the main dex.
     */
    private static final int XYZ_ONE_OF = 8;

    private static final String UNKNOWN = "null";

    @Override
    public Traits traits() {
        return Traits.usual(525)
                .dead(380)
                .quotes("USDC", "USDE", "USDH", "USDT0")
                .intervals(1)
                .states(State.DELISTED)
                .unpublished(Unpublished.NEXT_FUNDING, Unpublished.VENUE_TIME)
                .rateDecimals(10);
    }

    @Override
    public String symbol(SimulatedContract listing) {
        String coin = (listing.priceScale() == 1_000 ? "k" : "") + listing.asset();
        String dex = market(listing);
        return dex.isEmpty() ? coin : dex + ":" + coin;
    }

    @Override
    public @Nullable String dex(SimulatedContract listing) {
        String dex = market(listing);
        return dex.isEmpty() ? null : dex;
    }

    /** Shares, metals and contracts with other collateral than USDC are on dexes of their own. */
    private static String market(SimulatedContract listing) {
        if (!listing.isLive() && listing.oneOf(3) > 0) {
            return DEAD_DEXES.get(listing.oneOf(DEAD_DEXES.size()));
        }
        return switch (listing.quote()) {
            case "USDE" -> "para";
            case "USDH" -> "io";
            case "USDT0" -> "mkts";
            default -> listing.isShare() || listing.oneOf(XYZ_ONE_OF) == 0 ? "xyz" : "";
        };
    }

    /** Each dex has one collateral token: 0 is USDC, 235 USDE, 360 USDH, 268 USDT0. */
    private static long collateral(String dex) {
        return switch (dex) {
            case "para", "hyna" -> 235;
            case "io", "flx" -> 360;
            case "mkts", "cash" -> 268;
            default -> 0;
        };
    }

    @Override
    public @Nullable String response(SimulatedRequest request, MarketSnapshot market) {
        return switch (request.address() + " " + request.posted("type")) {
            case "api.hyperliquid.xyz/info metaAndAssetCtxs" -> metaAndAssetCtxs(market, request.posted("dex"));
            case "api.hyperliquid.xyz/info perpDexs" -> perpDexs();
            case "api.hyperliquid.xyz/info fundingHistory" -> history(request, market);
            default -> null;
        };
    }

    private static String perpDexs() {
        return Json.array(dexs -> {
            dexs.itemRaw("null");
            Stream.of(LIVE_DEXES, DEAD_DEXES)
                    .flatMap(List::stream)
                    .forEach(name -> dexs.item(dex -> dex.text("name", name).text("fullName", name + " dex")));
        });
    }

    private String metaAndAssetCtxs(MarketSnapshot market, @Nullable String requested) {
        String dex = requested == null ? "" : requested;
        if (!dex.isEmpty() && !LIVE_DEXES.contains(dex) && !DEAD_DEXES.contains(dex)) {
            return UNKNOWN;
        }
        List<SimulatedContract> listings = market.where(l -> market(l).equals(dex));
        return Json.array(pair -> pair.item(meta -> meta.list("universe", listings, this::contract)
                        .raw("marginTables", "[]")
                        .number("collateralToken", collateral(dex)))
                .items(contexts -> listings.forEach(l -> contexts.item(context -> context(context, l)))));
    }

    private void contract(Json row, SimulatedContract l) {
        row.number("szDecimals", 2)
                .text("name", symbol(l))
                .number("maxLeverage", 20)
                .number("marginTableId", 20);
        if (!l.isLive()) {
            row.flag("isDelisted", true);
        }
    }

    private static void context(Json row, SimulatedContract l) {
        row.text("funding", l.isLive() ? l.rate().toPlainString() : "0.0")
                .text("premium", l.isLive() ? "0.0001" : null)
                .text("oraclePx", l.indexPrice())
                .text("markPx", l.markPrice())
                .text("midPx", l.isLive() ? plain(l.markPrice(), "0.0") : null);
    }

    private String history(SimulatedRequest request, MarketSnapshot market) {
        SimulatedContract listing = market.find(this, request.posted("coin"));
        if (listing == null) {
            return UNKNOWN;
        }
        long from = Long.parseLong(Objects.requireNonNull(request.posted("startTime"), "startTime"));
        String end = request.posted("endTime");
        long to = end == null ? market.nowMs() : Long.parseLong(end);
        var page = listing.settledBetween(from, to).stream().limit(PAGE).toList();
        return Json.list(
                page,
                (row, settled) -> row.text("coin", symbol(listing))
                        .text("fundingRate", settled.rate())
                        .text("premium", "0.0001")
                        .number("time", settled.settledMs() + settled.settledMs() / 3_600_000 % 70));
    }

    /** An unknown dex or coin: HTTP 500 and {@code null}. */
    @Override
    public int status(String body) {
        return body.equals(UNKNOWN) ? 500 : 200;
    }

    @Override
    public Errors errors() {
        return Errors.byStatus("Failed to deserialize the JSON body into the target type", "null");
    }
}
