package io.fundingobservatory.ingest.venues;

import io.fundingobservatory.ingest.reading.Venue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every exchange that has a reader, in the order in which the service lists them. */
public final class Registry {
    private static final List<Venue> ALL = List.of(
            new Binance(),
            new Bybit(),
            new Okx(),
            new Bitget(),
            new Gate(),
            new Kucoin(),
            new Mexc(),
            new Htx(),
            new Bingx(),
            new Bitmex(),
            new Deribit(),
            new Kraken(),
            new Bitfinex(),
            new CryptoCom(),
            new Phemex(),
            new Bitmart(),
            new Lbank(),
            new Xt(),
            new Weex(),
            new Blofin(),
            new Toobit(),
            new Bitunix(),
            new Btse(),
            new Woox(),
            new Delta(),
            new Hitbtc(),
            new Variational(),
            new Backpack(),
            new Deepcoin(),
            new Whitebit(),
            new Poloniex(),
            new Gemini(),
            new Pionex(),
            new Hyperliquid(),
            new Dydx(),
            new Paradex(),
            new Apex(),
            new Aster(),
            new Lighter(),
            new EdgeX(),
            new Extended(),
            new Grvt(),
            new Hibachi(),
            new Orderly(),
            new Pacifica(),
            new Aevo(),
            new Bluefin(),
            new Derive());

    private static final Map<String, Venue> BY_ID =
            ALL.stream().collect(Collectors.toMap(v -> v.header().id(), Function.identity()));

    private Registry() {}

    public static List<Venue> all() {
        return ALL;
    }

    /** The reader of an exchange; null when it has none. */
    public static @Nullable Venue find(String id) {
        return BY_ID.get(id);
    }
}
