// Links from a contract to the page of it at its exchange. Each form is one that several public programs independently link to (search of
// their code, 28 November 2026). Exchanges without such a form, and contracts that it does not cover, have no link.

import {element} from './dom.js';

/** Forms for linear contracts in USDT. The symbol follows. */
const IN_USDT = {
    binance: 'https://www.binance.com/en/futures/',
    bybit: 'https://www.bybit.com/trade/usdt/',
    okx: 'https://www.okx.com/trade-swap/',
    gate: 'https://www.gate.io/futures/usdt/',
    bitget: 'https://www.bitget.com/futures/usdt/',
    kucoin: 'https://www.kucoin.com/futures/trade/',
    mexc: 'https://futures.mexc.com/exchange/',
    htx: 'https://www.htx.com/futures/linear_swap/exchange/#contract_code=',
};
/** Forms for every contract of an exchange. */
const ANY = {
    hyperliquid: 'https://app.hyperliquid.xyz/trade/',
    dydx: 'https://dydx.trade/trade/',
    paradex: 'https://app.paradex.trade/trade/',
    lighter: 'https://app.lighter.xyz/trade/',
    extended: 'https://app.extended.exchange/perp/',
    pacifica: 'https://app.pacifica.fi/trade/',
};

/** The symbol of a contract, as a link to its page where that is known. */
export function contractLink({venue, symbol, contract_type: type, quote}) {
    const form = ANY[venue] ?? (type === 'linear' && quote === 'USDT' ? IN_USDT[venue] : undefined);
    return form === undefined ? symbol
        : element('a', symbol, {href: form + encodeURIComponent(venue === 'okx' ? symbol.toLowerCase() : symbol), rel: 'noreferrer noopener', target: '_blank'});
}
