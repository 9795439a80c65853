package io.fundingobservatory.gateway.core.request;

import io.fundingobservatory.topics.ListedVenue;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds what a name that fits nothing may have meant: another spelling of a coin or a venue, or a name of another parameter. */
final class NearMiss {
    private static final Pattern SEPARATOR = Pattern.compile("[-_/: .]");
    /** What venues write behind the name of a pair. */
    private static final List<String> SYMBOL_ENDS =
            List.of("-SWAP", "-PERP", "_PERP", "-PERPETUAL", "-USDT", "-USD", "USDT", "_USDT", "USDTM", "M");

    private static final Pattern MULTIPLIER = Pattern.compile("^(1000000|100000|10000|1000|1M|K|M)(?=[A-Z]{2})");
    private static final Pattern QUOTE = Pattern.compile("(?<=.)(USDTM|USDT|USDCM|USDC|USDM|USD|PERP|SWAP)$");
    private static final Pattern NOT_A_LETTER = Pattern.compile("[^a-z0-9]");
    private static final Pattern VENUE_SUFFIX =
            Pattern.compile("(?<=..)(exchange|futures|perpetual|perp|usdm|swap|com|io|dex)$");

    /** What coins are called elsewhere; the tickers that venues list. */
    private static final Map<String, String> COINS = Map.ofEntries(
            Map.entry("XBT", "BTC"),
            Map.entry("BITCOIN", "BTC"),
            Map.entry("ETHEREUM", "ETH"),
            Map.entry("ETHER", "ETH"),
            Map.entry("SOLANA", "SOL"),
            Map.entry("RIPPLE", "XRP"),
            Map.entry("XDG", "DOGE"),
            Map.entry("DOGECOIN", "DOGE"),
            Map.entry("CARDANO", "ADA"),
            Map.entry("LITECOIN", "LTC"),
            Map.entry("POLKADOT", "DOT"),
            Map.entry("AVALANCHE", "AVAX"),
            Map.entry("CHAINLINK", "LINK"),
            Map.entry("TRON", "TRX"),
            Map.entry("TONCOIN", "TON"),
            Map.entry("STELLAR", "XLM"),
            Map.entry("MONERO", "XMR"));

    /** What venues were called before, or are called for short. */
    private static final Map<String, String> VENUES = venues();

    private NearMiss() {}

    private static Map<String, String> venues() {
        var spellings = new HashMap<String, String>();
        for (ListedVenue venue : ListedVenue.ALL) {
            spellings.put(plain(venue.name()), venue.id());
            spellings.put(plain(venue.id()), venue.id());
        }
        Map.of("okex", "okx", "gateio", "gate", "huobi", "htx", "hbdm", "htx", "bybt", "bybit", "woo", "woox")
                .forEach((name, id) -> {
                    if (ListedVenue.isListed(id)) {
                        spellings.putIfAbsent(name, id);
                    }
                });
        return Map.copyOf(spellings);
    }

    private static String plain(String name) {
        return NOT_A_LETTER.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
    }

    /**
     * The parameter and the name that may have been meant, as {@code assets=BTC}; null when nothing is near.
     *
     * @param parameter the parameter that listed the name
     */
    static @Nullable String of(
            String parameter, String name, Predicate<String> assetKnown, Predicate<String> symbolKnown) {
        String upper = Scope.upper(name);
        if (parameter.equals("venues")) {
            String venue = venue(name);
            return venue != null ? "venues=" + venue : assetKnown.test(upper) ? "assets=" + upper : null;
        }
        if (parameter.equals("assets") && symbolKnown.test(upper)) {
            return "symbols=" + upper;
        }
        for (String end : parameter.equals("symbols") && !assetKnown.test(upper) ? SYMBOL_ENDS : List.<String>of()) {
            if (symbolKnown.test(upper + end)) {
                return "symbols=" + upper + end;
            }
        }
        String asset = asset(upper, assetKnown);
        String venue = asset == null ? venue(name) : null;
        return asset != null ? "assets=" + asset : venue != null ? "venues=" + venue : null;
    }

    private static @Nullable String venue(String name) {
        String plain = plain(name);
        String venue = VENUES.get(plain);
        return venue != null ? venue : VENUES.get(VENUE_SUFFIX.matcher(plain).replaceFirst(""));
    }

    /** The coin that a spelling stands for: without its quote currency, its multiplier, or under another name. */
    private static @Nullable String asset(String upper, Predicate<String> known) {
        String base = SEPARATOR.split(upper, 2)[0];
        for (String candidate : List.of(base, QUOTE.matcher(base).replaceFirst(""), stripped(base))) {
            for (String spelling :
                    List.of(candidate, MULTIPLIER.matcher(candidate).replaceFirst(""))) {
                String asset = COINS.getOrDefault(spelling, spelling);
                if (!asset.isEmpty() && known.test(asset)) {
                    return asset;
                }
            }
        }
        return null;
    }

    /** Without two suffixes, such as those of {@code BTCUSDTPERP}. */
    private static String stripped(String base) {
        return QUOTE.matcher(QUOTE.matcher(base).replaceFirst("")).replaceFirst("");
    }
}
