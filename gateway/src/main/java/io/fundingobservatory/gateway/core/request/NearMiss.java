package io.fundingobservatory.gateway.core.request;

import io.fundingobservatory.topics.ListedVenue;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds what was probably meant by what fits nothing. It may be a name in another spelling or of another parameter, a parameter of another
 * interface, or a path of another version.
 */
public final class NearMiss {
    private static final String API = "/api/v1";
    private static final String OPENAPI = "/openapi.yaml";
    private static final Pattern VERSION = Pattern.compile("^(/+api)?(/+v[0-9]+)?(?=/|$)");
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

    /** What other interfaces call a parameter. */
    private static final Map<String, Set<String>> PARAMETERS = Map.of(
            "assets", Set.of("asset", "coin", "coins", "token", "base", "currency"),
            "symbols", Set.of("symbol", "instrument", "contract", "ticker", "pair", "market"),
            "venues", Set.of("venue", "exchange", "exchanges"),
            "asset_class", Set.of("class", "category"),
            "limit", Set.of("count", "max", "top"));

    /** What other interfaces have at a path, below the number of their version. */
    private static final Map<String, String> PATHS = Map.ofEntries(
            Map.entry("", API),
            Map.entry("rates", API + "/latest"),
            Map.entry("funding", API + "/latest"),
            Map.entry("funding_rates", API + "/latest"),
            Map.entry("tickers", API + "/latest"),
            Map.entry("exchanges", API + "/venues"),
            Map.entry("pairs", API + "/carry"),
            Map.entry("openapi", OPENAPI),
            Map.entry("openapi.yml", OPENAPI),
            Map.entry("openapi.yaml", OPENAPI),
            Map.entry("swagger", OPENAPI),
            Map.entry("docs", OPENAPI),
            Map.entry("manifest", "/manifest.json"),
            Map.entry("skill.md", "/skills/funding-rates/SKILL.md"));

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

    /** The parameter, of those that are known, that one may have meant; null when nothing is near. */
    static @Nullable String parameter(String parameter, List<String> known) {
        String lower = parameter.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(name -> name.equals(lower)
                        || PARAMETERS.getOrDefault(name, Set.of()).contains(lower))
                .findFirst()
                .orElse(null);
    }

    /** The path, of those that are served, that one may have meant; null when nothing is near. */
    public static @Nullable String path(String path, Predicate<String> served) {
        String name = withoutEnd(VERSION.matcher(path.toLowerCase(Locale.ROOT)).replaceFirst(""))
                .replaceFirst("^/+", "")
                .replace('-', '_');
        String ofApi = API + '/' + name;
        String meant = served.test(ofApi) ? ofApi : PATHS.get(name);
        return meant == null || meant.equals(path) || !served.test(meant) ? null : meant;
    }

    /** A pattern would look for its end from each of many slashes. */
    private static String withoutEnd(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        String name = path.substring(0, end);
        return name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
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
