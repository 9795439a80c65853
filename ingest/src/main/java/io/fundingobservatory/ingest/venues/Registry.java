package io.fundingobservatory.ingest.venues;

import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.topics.ListedVenue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The readers, by venue. Their order here means nothing: {@link ListedVenue#ALL} is the list. */
public final class Registry {
    private static final Map<String, Venue> BY_ID = Stream.of(
                    new Aevo(),
                    new Apex(),
                    new Aster(),
                    new Backpack(),
                    new Binance(),
                    new Bingx(),
                    new Bitfinex(),
                    new Bitget(),
                    new Bitunix(),
                    new Blofin(),
                    new Bluefin(),
                    new Btse(),
                    new Bybit(),
                    new CryptoCom(),
                    new Deepcoin(),
                    new Delta(),
                    new Deribit(),
                    new Derive(),
                    new Dydx(),
                    new EdgeX(),
                    new Extended(),
                    new Gate(),
                    new Gemini(),
                    new Grvt(),
                    new Hibachi(),
                    new Hitbtc(),
                    new Htx(),
                    new Hyperliquid(),
                    new Kraken(),
                    new Kucoin(),
                    new Lbank(),
                    new Lighter(),
                    new Mexc(),
                    new Nado(),
                    new Okx(),
                    new Orderly(),
                    new Pacifica(),
                    new Paradex(),
                    new Phemex(),
                    new Pionex(),
                    new Poloniex(),
                    new Standx(),
                    new Toobit(),
                    new Variational(),
                    new Weex(),
                    new Whitebit(),
                    new Woox(),
                    new Xt())
            .collect(Collectors.toMap(venue -> venue.spec().id(), Function.identity()));

    private static final List<Venue> ALL = ListedVenue.ALL.stream()
            .map(venue -> BY_ID.get(venue.id()))
            .filter(Objects::nonNull)
            .toList();

    private Registry() {}

    /** The readers of the listed venues, in the order of the list. */
    public static List<Venue> all() {
        return ALL;
    }

    /** The reader of a venue; null when it has none. */
    public static @Nullable Venue find(String id) {
        return BY_ID.get(id);
    }
}
