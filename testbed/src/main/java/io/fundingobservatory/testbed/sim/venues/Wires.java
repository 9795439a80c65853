package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Wire;
import java.util.List;

/** Every venue that can be simulated. Their order means nothing. */
public final class Wires {
    private static final List<Wire> ALL = List.of(
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
            new Xt());

    private Wires() {}

    public static List<Wire> all() {
        return ALL;
    }
}
