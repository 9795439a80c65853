package io.fundingobservatory.topics;

import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A venue that the service lists, whether or not it can be read at the moment.
 *
 * @param id the identifier that keys and responses use
 * @param name the exchange's name as it writes it
 * @param kind centralised or decentralised
 * @param defaultScope whether {@code /api/v1/latest} shows it when no venue is named
 * @param historyReach how far back the payments go that it publishes
 * @param listedSince the day (UTC) from which the service lists it
 * @param closing the end that it has announced; null while it has announced none
 * @param instance where it is one of several instances of one exchange: which; null elsewhere
 */
public record ListedVenue(
        String id,
        String name,
        Kind kind,
        boolean defaultScope,
        HistoryReach historyReach,
        LocalDate listedSince,
        @Nullable Closing closing,
        @Nullable Instance instance) {
    private static final LocalDate FIRST_LIST = LocalDate.of(2026, 11, 20);

    /**
     * The end of a venue's trading. From that instant on it is not polled, and its contracts are in no row and no pair.
     *
     * @param atMs the instant, epoch ms UTC
     * @param announcement the venue's own announcement
     */
    public record Closing(long atMs, URI announcement) {}

    /**
     * One of several instances of an exchange, with one wire format and one reader. Its limits are those of the first.
     *
     * @param of the identifier of the first instance, whose reader and bodies are used
     * @param host where it is requested
     * @param quote the quote currency of its contracts
     * @param docs its documentation
     */
    public record Instance(String of, String host, String quote, String docs) {}

    /** Who holds the order book. */
    public enum Kind {
        /** A company. */
        CEX,
        /** A protocol or chain. */
        DEX
    }

    /**
     * All of them, in a fixed order: the position is the venue's partition of {@code venues.assignment}. A new venue takes the place of
     * one that leaves, or is added at the end. A shifted entry would move every venue after it to another partition.
     */
    public static final List<ListedVenue> ALL = List.of(
            cex("binance", "Binance", true),
            cex("bybit", "Bybit", true),
            cex("okx", "OKX", true),
            cex("bitget", "Bitget", true).publishing(HistoryReach.newestRows(270)),
            cex("gate", "Gate", true),
            cex("kucoin", "KuCoin", true),
            cex("mexc", "MEXC", true),
            cex("htx", "HTX", true),
            cex("bingx", "BingX", true),
            dex("standx", "StandX", false).since("2026-11-25"),
            cex("deribit", "Deribit", true).publishing(HistoryReach.HOURLY_ACCRUALS),
            cex("kraken", "Kraken Futures", true),
            cex("bitfinex", "Bitfinex", true),
            cex("cryptocom", "Crypto.com", false),
            cex("phemex", "Phemex", true),
            dex("nado", "Nado", false).since("2026-11-25"),
            cex("lbank", "LBank", false).publishing(HistoryReach.NONE),
            cex("xt", "XT.com", false),
            cex("weex", "WEEX", false),
            cex("blofin", "BloFin", false),
            cex("toobit", "Toobit", false),
            cex("bitunix", "Bitunix", true),
            cex("btse", "BTSE", false),
            cex("woox", "WOO X", false),
            cex("delta", "Delta Exchange", false).publishing(HistoryReach.NONE),
            cex("hitbtc", "HitBTC", false),
            dex("variational", "Variational Omni", false).publishing(HistoryReach.NONE),
            cex("backpack", "Backpack", false),
            cex("deepcoin", "Deepcoin", false).publishing(HistoryReach.newestRows(100)),
            cex("whitebit", "WhiteBIT", true),
            cex("poloniex", "Poloniex", false),
            cex("gemini", "Gemini", false).publishing(HistoryReach.NONE),
            cex("pionex", "Pionex", false),
            dex("hyperliquid", "Hyperliquid", true),
            dex("dydx", "dYdX", true),
            dex("paradex", "Paradex", true).publishing(HistoryReach.NONE),
            dex("apex", "ApeX Omni", false),
            dex("aster", "Aster", true),
            dex("lighter", "Lighter", true)
                    .instance("lighter", "mainnet.zklighter.elliot.ai", "USDC", "https://apidocs.lighter.xyz"),
            dex("edgex", "edgeX", true),
            dex("extended", "Extended", true),
            dex("grvt", "GRVT", false),
            dex("hibachi", "Hibachi", false),
            dex("orderly", "Orderly Network", true),
            dex("pacifica", "Pacifica", true),
            dex("lighter_rh", "Lighter for Robinhood", false)
                    .since("2026-11-28")
                    .instance("lighter", "api.rh.lighter.xyz", "USDG", "https://apidocs.rh.lighter.xyz"),
            dex("ondo", "Ondo Perps", false).since("2026-11-28"),
            dex("derive", "Derive", false).publishing(HistoryReach.HOURLY_ACCRUALS));

    private static final Map<String, ListedVenue> BY_ID =
            ALL.stream().collect(Collectors.toMap(ListedVenue::id, v -> v));

    private static ListedVenue cex(String id, String name, boolean defaultScope) {
        return new ListedVenue(id, name, Kind.CEX, defaultScope, HistoryReach.WHOLE, FIRST_LIST, null, null);
    }

    private static ListedVenue dex(String id, String name, boolean defaultScope) {
        return new ListedVenue(id, name, Kind.DEX, defaultScope, HistoryReach.WHOLE, FIRST_LIST, null, null);
    }

    private ListedVenue publishing(HistoryReach reach) {
        return new ListedVenue(id, name, kind, defaultScope, reach, listedSince, closing, instance);
    }

    private ListedVenue since(String day) {
        return new ListedVenue(id, name, kind, defaultScope, historyReach, LocalDate.parse(day), closing, instance);
    }

    private ListedVenue instance(String of, String host, String quote, String docs) {
        var one = new Instance(of, host, quote, docs);
        return new ListedVenue(id, name, kind, defaultScope, historyReach, listedSince, closing, one);
    }

    /**
     * The same with the end that it has announced.
     *
     * @param instant ISO 8601, UTC
     * @param announcement address of its own announcement
     */
    public ListedVenue closing(String instant, String announcement) {
        var end = new Closing(Instant.parse(instant).toEpochMilli(), URI.create(announcement));
        return new ListedVenue(id, name, kind, defaultScope, historyReach, listedSince, end, instance);
    }

    /**
     * Whether the end that it has announced has come.
     *
     * @param nowMs epoch ms UTC
     */
    public boolean isClosed(long nowMs) {
        return closing != null && nowMs >= closing.atMs();
    }

    /** Returns the identifier after which the reader, the wire and the bodies are named: that of the first instance, or its own. */
    public String wireId() {
        return instance == null ? id : instance.of();
    }

    /** Returns the name of the class that reads the venue, from which that of its simulation derives: {@code Binance}. */
    public String className() {
        return Character.toUpperCase(wireId().charAt(0)) + wireId().substring(1);
    }

    /** How many listed venues have not closed; epoch ms UTC. */
    public static int open(long nowMs) {
        return (int) ALL.stream().filter(venue -> !venue.isClosed(nowMs)).count();
    }

    public static boolean isListed(String id) {
        return BY_ID.containsKey(id);
    }

    /** The venue of that identifier; an identifier that is not listed is a bug. */
    public static ListedVenue of(String id) {
        ListedVenue venue = BY_ID.get(id);
        if (venue == null) {
            throw new IllegalArgumentException("not a listed venue: " + id);
        }
        return venue;
    }
}
