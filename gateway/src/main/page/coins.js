// Contracts by asset: which one represents an exchange, the highest rate, the lowest, their spread, and the next settlement.

import {compare, minus} from './decimal.js';

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

/** The contracts of one asset, by their places in the list. */
export class Coin {
    constructor(asset) {
        this.asset = asset;
        /** @type {Map<string, number[]>} by exchange, the one that represents it first */
        this.byVenue = new Map();
        this.contracts = 0;
        this.high = -1;
        this.low = -1;
        this.next = -1;
    }

    /** The difference of the highest and the lowest rate as a double, to order by; NaN where there are not two. */
    width(rows) {
        const rates = rows.numbers('funding_rate_8h');
        return this.high < 0 || this.high === this.low ? NaN : rates[this.high] - rates[this.low];
    }

    /** The difference of the highest and the lowest rate, exactly; null where there are not two. */
    spread(rows) {
        const rates = rows.column('funding_rate_8h');
        return this.high < 0 || this.high === this.low ? null : minus(rates[this.high], rates[this.low]);
    }
}

/**
 * Assets of a list, by name. Highest and lowest are those of linear contracts that are not stale. Next is the contract with the first
 * announced settlement after an instant.
 *
 * @param {Rows} rows the list
 * @param {(i: number) => boolean} held whether a contract passes the filter
 * @param {number} after epoch ms
 * @returns {Map<string, Coin>}
 */
export function coins(rows, held = () => true, after = 0) {
    const found = new Map();
    const [asset, venue, type, rate, stale] =
        ['asset', 'venue', 'contract_type', 'funding_rate_8h', 'stale'].map(name => rows.column(name));
    const rates = rows.numbers('funding_rate_8h');
    const due = rows.numbers('next_funding_ms');
    const beats = (a, b, sign) => b < 0 || sign * (rates[a] - rates[b]) > 0
        || (rates[a] === rates[b] && sign * compare(rate[a], rate[b]) > 0);
    for (let i = 0; i < rows.count; i++) {
        if (!held(i)) {
            continue;
        }
        let coin = found.get(asset[i]);
        if (!coin) {
            coin = new Coin(asset[i]);
            found.set(asset[i], coin);
        }
        coin.contracts++;
        const beside = coin.byVenue.get(venue[i]);
        if (beside) {
            beside.push(i);
        } else {
            coin.byVenue.set(venue[i], [i]);
        }
        if (type[i] === 'linear' && rate[i] !== null && stale[i] !== true) {
            coin.high = beats(i, coin.high, 1) ? i : coin.high;
            coin.low = beats(i, coin.low, -1) ? i : coin.low;
        }
        if (due[i] > after && !(due[coin.next] <= due[i])) {
            coin.next = i;
        }
    }
    const order = preferred(rows);
    for (const coin of found.values()) {
        for (const beside of coin.byVenue.values()) {
            if (beside.length > 1) {
                beside.sort(order);
            }
        }
    }
    return found;
}

const byName = (a, b) => (a.asset < b.asset ? -1 : a.asset > b.asset ? 1 : 0);

/**
 * Assets in order; what has nothing to be ordered by comes last either way.
 *
 * @param {Coin[]} list
 * @param {string} key `listed`, `asset`, `high`, `low`, `spread`, `next`, or the name of an exchange
 * @param {boolean} down the largest first
 */
export function ordered(list, rows, key, down) {
    if (key === 'asset') {
        return [...list].sort((a, b) => (down ? byName(b, a) : byName(a, b)));
    }
    const rates = rows.numbers('funding_rate_8h');
    const at = i => (i === undefined || i < 0 ? NaN : rates[i]);
    const due = rows.numbers('next_funding_ms');
    const by = {
        listed: coin => coin.contracts * 100 + coin.byVenue.size,
        high: coin => at(coin.high),
        low: coin => at(coin.low),
        spread: coin => coin.width(rows),
        next: coin => due[coin.next] ?? NaN,
    }[key] ?? (coin => at(coin.byVenue.get(key)?.[0]));
    return list.map(coin => [by(coin), coin]).sort(([a, x], [b, y]) => {
        if (Number.isNaN(a) || Number.isNaN(b)) {
            return Number.isNaN(a) === Number.isNaN(b) ? byName(x, y) : Number.isNaN(a) ? 1 : -1;
        }
        return (down ? b - a : a - b) || byName(x, y);
    }).map(([, coin]) => coin);
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
