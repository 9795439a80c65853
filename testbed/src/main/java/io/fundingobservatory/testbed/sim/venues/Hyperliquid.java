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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hyperliquid: one address, the posted body asks; contracts and figures are two lists joined by position; dexes of builders. */
final class Hyperliquid implements Wire {
    private static final List<String> BUILDERS = List.of("xyz", "hyna", "flx");

    @Override
    public String venue() {
        return "hyperliquid";
    }

    @Override
    public Traits traits() {
        return Traits.usual(270)
                .quotes("USDC", "USDE", "USDH")
                .intervals(1)
                .states(State.DELISTED)
                .untold(Untold.NEXT_FUNDING, Untold.VENUE_TIME)
                .rateDecimals(10);
    }

    @Override
    public String symbol(Listing listing) {
        String coin = (listing.priceScale() == 1_000 ? "k" : "") + listing.asset();
        String dex = dex(listing);
        return dex.isEmpty() ? coin : dex + ":" + coin;
    }

    /** Stocks and metals, and whatever has other collateral than USDC, live on dexes of their own. */
    private static String dex(Listing listing) {
        return switch (listing.quote()) {
            case "USDE" -> "hyna";
            case "USDH" -> "flx";
            default -> List.of("XAU", "XAG", "NVDA", "TSLA", "MSTR").contains(listing.asset()) ? "xyz" : "";
        };
    }

    @Override
    public @Nullable String answer(Call call, Moment moment) {
        return switch (call.address() + " " + call.posted("type")) {
            case "api.hyperliquid.xyz/info metaAndAssetCtxs" -> metaAndAssetCtxs(moment, call.posted("dex"));
            case "api.hyperliquid.xyz/info perpDexs" -> perpDexs();
            case "api.hyperliquid.xyz/info fundingHistory" -> history(call, moment);
            default -> null;
        };
    }

    private static String perpDexs() {
        return Json.array(dexs -> {
            dexs.itemRaw("null");
            BUILDERS.forEach(name -> dexs.item(dex -> dex.text("name", name).text("fullName", name + " dex")));
        });
    }

    private String metaAndAssetCtxs(Moment moment, @Nullable String asked) {
        String dex = asked == null ? "" : asked;
        List<Listing> listings = moment.where(l -> dex(l).equals(dex));
        long collateral = dex.equals("hyna") ? 235 : dex.equals("flx") ? 360 : 0;
        return Json.array(pair -> pair.item(meta -> meta.list("universe", listings, this::contract)
                        .raw("marginTables", "[]")
                        .number("collateralToken", collateral))
                .items(contexts -> listings.forEach(l -> contexts.item(context -> context(context, l)))));
    }

    private void contract(Json row, Listing l) {
        row.number("szDecimals", 2)
                .text("name", symbol(l))
                .number("maxLeverage", 20)
                .number("marginTableId", 20);
        if (!l.isLive()) {
            row.flag("isDelisted", true);
        }
    }

    private static void context(Json row, Listing l) {
        row.text("funding", l.isLive() ? l.rate().toPlainString() : "0.0")
                .text("premium", l.isLive() ? "0.0001" : null)
                .text("oraclePx", l.indexPrice())
                .text("markPx", l.markPrice())
                .text("midPx", l.isLive() ? plain(l.markPrice(), "0.0") : null);
    }

    private @Nullable String history(Call call, Moment moment) {
        Listing listing = moment.find(this, call.posted("coin"));
        if (listing == null) {
            return null;
        }
        long from = Long.parseLong(Objects.requireNonNull(call.posted("startTime"), "startTime"));
        String end = call.posted("endTime");
        long to = end == null ? moment.nowMs() : Long.parseLong(end);
        var page = listing.settledBetween(from, to).stream().limit(500).toList();
        return Json.list(
                page,
                (row, settled) -> row.text("coin", symbol(listing))
                        .text("fundingRate", settled.rate())
                        .text("premium", "0.0001")
                        .number("time", settled.settledMs() + settled.settledMs() / 3_600_000 % 70));
    }

    @Override
    public String errorBody() {
        return "Failed to deserialize the JSON body into the target type";
    }

    @Override
    public String throttledBody() {
        return "null";
    }

    @Override
    public boolean refusesInBand() {
        return false;
    }
}
