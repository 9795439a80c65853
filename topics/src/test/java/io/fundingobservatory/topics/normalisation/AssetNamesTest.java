package io.fundingobservatory.topics.normalisation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fundingobservatory.topics.ListedVenue;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssetNamesTest {
    @ParameterizedTest
    @CsvSource({
        "binance, BTC, BTC, 1",
        "binance, 1000PEPE, PEPE, 1000",
        "binance, 1000000MOG, MOG, 1000000",
        "binance, 1000X, X, 1000",
        "binance, 1000币安人生, 币安人生, 1000",
        "binance, 1MBABYDOGE, BABYDOGE, 1000000",
        "bybit, 10000LADYS, LADYS, 10000",
        "bybit, 10000000AIDOGE, AIDOGE, 10000000",
        "bybit, SHIB1000, SHIB, 1000",
        "phemex, 1000 SHIB, SHIB, 1000",
        "xt, btc, BTC, 1",
        "xt, 1000cheems, CHEEMS, 1000",
        "xt, 1mbabydoge, BABYDOGE, 1000000",
        "gemini, eth, ETH, 1",
        "hyperliquid, kBONK, BONK, 1000",
        "hyperliquid, xyz:XYZ100, XYZ100, 1",
        "hyperliquid, hyna:kPEPE, PEPE, 1000",
        "extended, kNOT, NOT, 1000",
        "extended, MU_24_5, MU, 1",
        "extended, SPX500m, SPX500m, 1",
        "grvt, KPEPE, PEPE, 1000",
        "grvt, KAITO, KAITO, 1",
        "btse, 1KFLOKI, FLOKI, 1000",
        "btse, GAS, NATGAS, 1",
        "btse, QNT, QNT-STOCK, 1",
        "binance, GAS, GAS, 1",
        "btse, TRUMPSOL, TRUMP, 1",
        "hitbtc, 100PEPE, PEPE, 100",
        "kraken, XBT, BTC, 1",
        "nado, kPEPE, PEPE, 1000",
        "standx, XAU, XAU, 1",
        "kraken, XDG, DOGE, 1",
        "bitfinex, ALG, ALGO, 1",
        "mexc, FILECOIN, FIL, 1",
        "dydx, 'DOGINME,UNISWAP_V3,0X6921B130D297CC43754AFBA22E5EAC0FBF8DB75B', DOGINME, 1",
        "variational, OPN_OPINION, OPN_OPINION, 1",
        "toobit, stETH, STETH, 1",
    })
    void takesTheMultiplierOff(String venue, String base, String asset, BigDecimal scale) {
        assertEquals(new AssetNames.Name(asset, scale), AssetNames.of(venue, base));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1INCH",
                "0G",
                "2Z",
                "4",
                "C98",
                "API3",
                "LUNA2",
                "BANANAS31",
                "BROCCOLI714",
                "BROCCOLIF3B",
                "B2",
                "XYZ100",
                "US2000",
                "JP225",
                "10TA",
                "10001000SATS",
                "1000",
                "100X",
                "KAS",
                "KAVA",
                "KPEPE",
                "K",
                "1M",
                "1K",
                "SHIB1000",
                "H100",
                "币安人生",
                "USDJPY",
                "TEST01",
                "1MASK"
            })
    void leavesGenuineNamesAlone(String name) {
        assertEquals(new AssetNames.Name(name, BigDecimal.ONE), AssetNames.of("weex", name));
    }

    @Test
    void everyExceptionNamesListedVenueAndReason() {
        for (AssetAlias exception : AssetAlias.ALL) {
            assertTrue(ListedVenue.isListed(exception.venue()), exception::toString);
            assertFalse(exception.reason().isBlank(), exception::toString);
        }
    }

    /**
     * Checks each asset's own spellings against the recorded facts about the venues, where these lie next to
     * the project.
     */
    @Test
    void agreesWithTheRecordedNames() throws IOException {
        Path venues = Path.of(System.getProperty("shared.venues", "../../shared/venues"));
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(venues), "no recordings beside the project");
        var wrong = new ArrayList<String>();
        for (ListedVenue venue : ListedVenue.ALL) {
            for (JsonNode row : new ObjectMapper()
                    .readTree(
                            venues.resolve(venue.id()).resolve("expected.json").toFile())) {
                String asset = row.get("asset").asText();
                var expected = new AssetNames.Name(
                        asset, new BigDecimal(row.get("multiplier").asText("1")));
                spellings(row.get("symbol").asText(), asset).stream()
                        .filter(base -> !AssetNames.of(venue.id(), base).equals(expected))
                        .forEach(base -> wrong.add(venue.id() + " " + base + " " + AssetNames.of(venue.id(), base)));
            }
        }
        assertEquals(List.of(), wrong);
    }

    /**
     * The base as a symbol spells it: what precedes the asset's name within its part, and the name itself.
     */
    private static List<String> spellings(String symbol, String asset) {
        int at = symbol.toUpperCase().indexOf(asset.toUpperCase());
        if (at < 0) {
            return List.of(); // renamed: XBT and the like have their own examples
        }
        int from = Math.max(
                        symbol.lastIndexOf('_', at), Math.max(symbol.lastIndexOf(':', at), symbol.lastIndexOf('-', at)))
                + 1;
        return asset.contains("_")
                ? List.of(asset)
                : List.of(symbol.substring(from, at + asset.length()).replaceFirst("^t(?=BTC)", ""));
    }
}
