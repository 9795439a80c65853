// The matrix and the pairs as names and rows of a file. Rates are fractions, with the digits that the service wrote.

/** An object without objects in it: the field `venue` of `short` becomes `short_venue`. */
function flat(entry) {
    return Object.fromEntries(Object.entries(entry).flatMap(([name, value]) => (value !== null && typeof value === 'object'
        ? Object.entries(flat(value)).map(([inner, one]) => [`${name}_${inner}`, one])
        : [[name, value]])));
}

/**
 * Pairs of one list. A part that is null in one pair and known in another has the columns of its fields only.
 *
 * @param {object[]} entries as the service returns them
 * @returns {{names: string[], rows: object[]}}
 */
export function pairsSheet(entries) {
    const rows = entries.map(flat);
    const all = [...new Set(rows.flatMap(Object.keys))];
    const parts = new Set(entries.flatMap(entry => Object.keys(entry).filter(name => entry[name] !== null && typeof entry[name] === 'object')));
    return {names: all.filter(name => !parts.has(name)), rows};
}

/**
 * The matrix: a row for each asset, a column for each venue. A venue of several contracts has the one that the matrix shows; `stale`
 * names the venues whose contract is stale.
 *
 * @param {Coin[]} coins in the order that is shown
 * @param {Rows} rows the list
 * @param {string[]} venues in the order that is shown
 * @param {string} field the rate that is shown
 * @returns {{names: string[], rows: object[]}}
 */
export function matrixSheet(coins, rows, venues, field) {
    const [venue, eight, next, stale, shown] = ['venue', 'funding_rate_8h', 'next_funding_ms', 'stale', field].map(name => rows.column(name));
    const at = (column, i) => (i < 0 ? null : column[i]);
    return {
        names: ['asset', 'spread_8h', 'highest_8h', 'highest_venue', 'lowest_8h', 'lowest_venue', 'next_funding_ms', 'next_funding_venue', 'stale', ...venues],
        rows: coins.map(coin => ({
            asset: coin.asset,
            spread_8h: coin.spread(rows),
            highest_8h: at(eight, coin.high),
            highest_venue: at(venue, coin.high),
            lowest_8h: at(eight, coin.low),
            lowest_venue: at(venue, coin.low),
            next_funding_ms: at(next, coin.next),
            next_funding_venue: at(venue, coin.next),
            stale: venues.filter(one => coin.byVenue.has(one) && stale[coin.byVenue.get(one)[0]] === true).join(' '),
            ...Object.fromEntries(venues.map(one => [one, at(shown, coin.byVenue.get(one)?.[0] ?? -1)])),
        })),
    };
}
