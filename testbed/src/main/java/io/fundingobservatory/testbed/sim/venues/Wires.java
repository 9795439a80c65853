package io.fundingobservatory.testbed.sim.venues;

import io.fundingobservatory.testbed.sim.Wire;
import java.util.List;

/** Every exchange that can be simulated, in the order in which the service lists them. */
public final class Wires {
    private static final List<Wire> ALL = List.of(
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

    private Wires() {}

    public static List<Wire> all() {
        return ALL;
    }
}
