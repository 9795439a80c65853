// Contracts by asset: which one represents an exchange, the highest rate, the lowest, their spread, and the next settlement.

import {compare, minus} from './decimal.js';
import {orderedBy} from './tables.js';

const TYPES = ['linear', 'inverse', 'quanto'];
const QUOTES = ['USDT', 'USDC', 'USD'];

function place(list, word) {
    const at = list.indexOf(word);
    return at < 0 ? list.length : at;
}

/** Of several contracts of one asset at one exchange the matrix shows the first: linear before inverse, USDT before USDC and USD. */
export function preferred(rows) {
    const [type, quote, symbol] = ['contract_type', 'quote', 'symbol'].map(name => rows.column(name));
    const dex = rows.column('dex');
    return (a, b) => place(TYPES, type[a]) - place(TYPES, type[b])
        // The venue's own contract before those of builder markets.
        || Number(dex[a] !== null) - Number(dex[b] !== null)
        || place(QUOTES, quote[a]) - place(QUOTES, quote[b])
        || (symbol[a] < symbol[b] ? -1 : 1);
}

/**
 * Assets of a list, of the contracts that `held` takes: {asset, byVenue, contracts, high, low, next}. Contracts are their places in the
 * list, -1 for none; by exchange the one that represents it is first. Highest and lowest are those of linear contracts that are not stale.
 * Next is the contract with the first announced settlement after an instant (epoch ms).
 */
export function coins(rows, held = () => true, after = 0) {
    const [asset, venue, type, rate, stale] = ['asset', 'venue', 'contract_type', 'funding_rate_8h', 'stale'].map(name => rows.column(name));
    const rates = rows.numbers('funding_rate_8h');
    const due = rows.numbers('next_funding_ms');
    const order = preferred(rows);
    const first = (places, by) => places.reduce((one, i) => (one < 0 || by(i, one) < 0 ? i : one), -1);
    // Doubles that are equal may be of decimals that differ.
    const up = (a, b) => rates[a] - rates[b] || compare(rate[a], rate[b]);
    return [...Map.groupBy([...asset.keys()].filter(held), i => asset[i])].map(([name, places]) => {
        const byVenue = Map.groupBy(places, i => venue[i]);
        byVenue.forEach(beside => beside.sort(order));
        const fresh = places.filter(i => type[i] === 'linear' && rate[i] !== null && stale[i] !== true);
        return {
            asset: name, byVenue, contracts: places.length, high: first(fresh, (a, b) => up(b, a)), low: first(fresh, up),
            next: first(places.filter(i => due[i] > after), (a, b) => due[a] - due[b]),
        };
    });
}

/** The difference of the highest and the lowest rate, exactly; null where there are not two. */
export function spread(coin, rows) {
    const rates = rows.column('funding_rate_8h');
    return coin.high === coin.low ? null : minus(rates[coin.high], rates[coin.low]);
}

const byName = (a, b) => (a.asset < b.asset ? -1 : a.asset > b.asset ? 1 : 0);

/** Assets by `listed`, `asset`, `high`, `low`, `spread`, `next` or an exchange. */
export function ordered(list, rows, key, down) {
    const rates = rows.numbers('funding_rate_8h');
    const at = i => (i === undefined || i < 0 ? NaN : rates[i]);
    const due = rows.numbers('next_funding_ms');
    const by = {
        listed: coin => coin.contracts * 100 + coin.byVenue.size,
        asset: coin => coin.asset,
        high: coin => at(coin.high),
        low: coin => at(coin.low),
        spread: coin => (coin.high === coin.low ? NaN : at(coin.high) - at(coin.low)),
        next: coin => due[coin.next] ?? NaN,
    }[key] ?? (coin => at(coin.byVenue.get(key)?.[0]));
    return orderedBy(list, by, down, byName);
}

/** Assets whose name begins like this, the one that is called so first. */
export function found(list, text) {
    const wanted = text.trim().toUpperCase();
    if (!wanted) {
        return list;
    }
    const like = list.filter(coin => coin.asset.toUpperCase().startsWith(wanted));
    return [...like.filter(coin => coin.asset.toUpperCase() === wanted), ...like.filter(coin => coin.asset.toUpperCase() !== wanted)];
}
