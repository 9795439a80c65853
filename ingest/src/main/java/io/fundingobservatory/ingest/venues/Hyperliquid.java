package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.post;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueResponses.Response;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.RateKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hyperliquid: the main perpetual exchange and those that others deploy on it (HIP-3), each one call.
 *
 * <p>A response is a pair {@code [meta, ctxs]} that is joined by position: {@code ctxs} names no contract, and delisted contracts
 * keep their place. Every market settles at the top of every hour; neither interval nor next time is on the wire.
 *
 * <pre>{@code
 * metaAndAssetCtxs: {"funding": "0.0000083651", "oraclePx": "64020.0", "markPx": "64010.5"}
 * }</pre>
 */
final class Hyperliquid implements Venue {
    private static final String INFO = "https://api.hyperliquid.xyz/info";

    /** Requested when the list of deployed exchanges is missing. */
    private static final List<String> DEXES_SEEN =
            List.of("xyz", "para", "io", "mkts", "flx", "vntl", "hyna", "km", "abcd", "cash");

    private static final String ONE_DEX = "{\"type\":\"metaAndAssetCtxs\",\"dex\":\"{}\"}";

    @Override
    public VenueSpec spec() {
        return VenueSpec.venue("hyperliquid")
                .docs(
                        "https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals",
                        "2026-10-08")
                .rate(RateKind.ESTIMATE)
                .limit("api.hyperliquid.xyz", 1200, 60)
                .request(post("perpDexs", INFO, "{\"type\":\"perpDexs\"}")
                        .hourly()
                        .weight(20))
                .request(post("metaAndAssetCtxs", INFO, "{\"type\":\"metaAndAssetCtxs\"}")
                        .weight(20))
                .request(post("dex_{}", INFO, ONE_DEX)
                        .hourly()
                        .each(Hyperliquid::dexes)
                        .weight(20))
                .request(post("metaAndAssetCtxs_{}", INFO, ONE_DEX)
                        .each(Hyperliquid::dexesThatTrade)
                        .weight(20))
                .history(History.post(
                                "fundingHistory",
                                INFO,
                                "{\"type\":\"fundingHistory\",\"coin\":\"{key}\",\"startTime\":{from_ms},\"endTime\":{to_ms}}",
                                Paging.NEWER,
                                500)
                        .weight(20, 20))
                .build();
    }

    /** The deployed exchanges; the list's first place is null and means the main one. */
    private static List<String> dexes(VenueResponses responses) {
        List<JsonValue> deployed = responses.rows("perpDexs");
        if (deployed.isEmpty()) { // its first place is the main one, so it never is
            return DEXES_SEEN;
        }
        return deployed.stream()
                .map(dex -> dex.textOrNull("name"))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * All but those whose markets were all delisted in the newest list, which is an hour old at most: six of ten in 2026. What is left of
     * the one budget for values and history is the history's.
     */
    private static List<String> dexesThatTrade(VenueResponses responses) {
        Map<String, JsonValue> seen = responses.bodiesByKey("dex_{}");
        return dexes(responses).stream()
                .filter(dex -> !seen.containsKey(dex) || hasMarkets(seen.get(dex)))
                .toList();
    }

    private static boolean hasMarkets(JsonValue dex) {
        return dex.at(0).list("universe").stream().anyMatch(contract -> !contract.flag("isDelisted"));
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        responses.all("metaAndAssetCtxs").forEach(response -> readDex(response, rows));
        var deployed = new LinkedHashMap<String, Response>();
        responses.all("dex_{}").forEach(response -> deployed.put(response.key(), response));
        deployed.values().removeIf(response -> hasMarkets(response.body())); // values that are an hour old
        responses.all("metaAndAssetCtxs_{}").forEach(response -> deployed.put(response.key(), response));
        deployed.values().forEach(response -> readDex(response, rows));
    }

    private static void readDex(Response response, Rows rows) {
        JsonValue body = response.body();
        JsonValue meta = body.at(0);
        List<JsonValue> universe = meta.list("universe");
        List<JsonValue> contexts = body.at(1).elements();
        for (int i = 0; i < universe.size(); i++) {
            // Lists of different length cannot be joined by position: no row of them is then certain.
            JsonValue context = universe.size() == contexts.size() ? contexts.get(i) : null;
            rows.each(
                    List.of(universe.get(i)),
                    "name",
                    contract -> builder(contract, context, meta)
                            .dex(response.key().isEmpty() ? null : response.key())
                            .observedAt(response.readAtMs()));
        }
    }

    private static QuoteBuilder builder(JsonValue contract, @Nullable JsonValue context, JsonValue meta) {
        if (contract.flag("isDelisted")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
        if (context == null) {
            throw Skip.because(Skip.CONTRADICTED);
        }
        String name = contract.text("name");
        return QuoteBuilder.linear(name.substring(name.indexOf(':') + 1), quote(meta, name))
                .rate(context.fundingRate("funding"))
                .intervalHours(1, DOCUMENTED)
                .mark(context.price("markPx"))
                .index(context.price("oraclePx"));
    }

    /** Tokens by their index on the chain; the main exchange, whose names have no prefix, did not always say its own. */
    private static String quote(JsonValue meta, String name) {
        String token = meta.textOrNull("collateralToken");
        return switch (token != null ? token : name.contains(":") ? "unsaid" : "0") {
            case "0" -> "USDC";
            case "235" -> "USDE";
            case "268" -> "USDT0";
            case "360" -> "USDH";
            default -> throw Skip.because(Skip.UNKNOWN_STATE);
        };
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        return body.isArray() ? null : new VenueError("no list", false);
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.elements(),
                row -> row.text("coin"),
                row -> Settled.fraction(row.millis("time"), row.fundingRate("fundingRate")));
    }
}
