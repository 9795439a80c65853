package io.fundingobservatory.topics.normalisation;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One venue's spelling that no rule explains: the table of exceptions of {@link AssetNames}.
 *
 * @param venue the venue
 * @param base its spelling
 * @param asset the name to join on
 * @param priceScale coins that one priced unit stands for
 * @param reason why this is an exception, for people
 */
record AssetAlias(String venue, String base, String asset, long priceScale, String reason) {
    static final List<AssetAlias> ALL = List.of(
            renamed("bitfinex", "ALG", "ALGO", "three-letter house code"),
            renamed("bitfinex", "ATO", "ATOM", "three-letter house code"),
            renamed("bitfinex", "IOT", "IOTA", "three-letter house code"),
            renamed("btse", "GAS", "NATGAS", "natural gas; elsewhere GAS is Neo's coin"),
            renamed("btse", "QNT", "QNT-STOCK", "a share; elsewhere QNT is the coin of Quant"),
            renamed("btse", "TRUMPSOL", "TRUMP", "base of TRUMP-PERP: the chain is part of the code"),
            renamed("extended", "SPX500m", "SPX500m", "the S&P 500; kept as published, away from the coin SPX"),
            new AssetAlias(
                    "hitbtc",
                    "100PEPE",
                    "PEPE",
                    100,
                    "the only name with a hundred; elsewhere 100 before a name is no multiple"),
            renamed("mexc", "FILECOIN", "FIL", "the coin's name in place of its ticker"),
            renamed("mexc", "NVIDIA", "NVDA", "the company's name in place of its ticker"),
            renamed("mexc", "PUMPFUN", "PUMP", "the platform's name in place of its coin's ticker"));

    private static final Map<String, AssetAlias> BY_SPELLING =
            ALL.stream().collect(Collectors.toMap(alias -> alias.venue + '|' + alias.base, Function.identity()));

    private static AssetAlias renamed(String venue, String base, String asset, String reason) {
        return new AssetAlias(venue, base, asset, 1, reason);
    }

    static @Nullable AssetAlias find(String venue, String base) {
        return BY_SPELLING.get(venue + '|' + base);
    }
}
