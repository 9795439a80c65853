// One contract in full: what a cell has no room for, for those who cannot point at it as well.

import {spread} from './coins.js';
import {button, element, time, unknown} from './dom.js';
import {basis, grouped, span, until, utc} from './figures.js';
import {exactRate, unit} from './units.js';
import {contractLink} from './venue-pages.js';
import {INTERVAL_SOURCES, kind} from './words.js';

const facts = pairs => element('dl', pairs.map(([name, value]) => element('div', [element('dt', name), element('dd', value)])));
const title = (...parts) => element('h3', parts);

/** A rate with all its digits, and as the fraction that the service wrote. */
function rate(fraction, span) {
    return fraction === null ? unknown('the exchange published no rate, or not the hours that it covers')
        : [element('b', `${exactRate(fraction)}${unit().after}`), ` ${span} `, element('span', fraction, {class: 'fraction'})];
}

function price(value, row, what) {
    return value === null ? unknown(`the exchange published no ${what}`) : `${grouped(value)} ${row.quote}`;
}

/** Puts an asset on the watch-list or takes it off. */
function watch(app, asset) {
    const words = () => (app.isWatched(asset) ? '★ On the watch-list' : '☆ Watch');
    return button(words(), event => {
        app.watch(asset);
        event.target.textContent = words();
    }, {class: 'watch'});
}

/** The most and the least that a rate can be, and whether it is there. */
function bounds({funding_rate_8h: now, funding_cap_8h: cap, funding_floor_8h: floor}) {
    const known = [['at most', cap, ' at its cap '], ['at least', floor, ' at its floor ']].filter(([, bound]) => typeof bound === 'string');
    return known.length === 0 ? unknown('the exchange does not publish them') : known.flatMap(([word, bound, there]) => [`${word} `, ...rate(bound, 'per 8 h'), ' ',
        now !== null && Number(now) === Number(bound) && element('strong', there)]);
}

/** Of the contracts of one asset at one exchange: the first in full, the others by name. */
export function contractDetails(app, rows, places) {
    const row = rows.row(places[0]);
    const {word, meaning} = kind(row.rate_kind);
    const hours = row.funding_interval_h;
    const apart = basis(row.mark_price, row.index_price);
    const others = places.slice(1).map(i => `${rows.column('symbol')[i]} (${rows.column('contract_type')[i]})`);
    return [
        title(element('a', row.asset, {href: app.address('asset', {}, row.asset)}), ` at ${app.venueName(row.venue)} `,
            element('span', [contractLink(row), `, ${row.contract_type}`], {class: 'symbol'}), ' ', watch(app, row.asset)),
        facts([
            ['8-hour rate', rate(row.funding_rate_8h, 'per 8 h')],
            ['Own interval', hours === null ? unknown('the exchange did not publish its interval')
                : [rate(row.funding_rate, `per ${hours} h`), element('small', ` ${INTERVAL_SOURCES[row.funding_interval_source] ?? ''}`)].flat()],
            ['Cap and floor', bounds(row)],
            ['Annualised', rate(row.funding_rate_annualised, 'simple, hypothetical')],
            ['Kind', `${word}: ${meaning}`],
            ['Asset class', row.asset_class ? `${row.asset_class}${row.asset_class_by_asset ? ' (other exchanges state it)' : ''}` : unknown('no exchange states it for this asset')],
            ...(row.dex === null ? [] : [['Builder market', row.dex]]),
            ['Next settlement', row.next_funding_ms === null ? unknown('the exchange announces none')
                : [time(row.next_funding_ms, utc(row.next_funding_ms)), ` ${until(row.next_funding_ms, app.now())}`]],
            ['Mark', price(row.mark_price, row, 'mark price')],
            ['Index', price(row.index_price, row, 'index price')],
            ['Mark–index basis', apart === null ? unknown('a price is not known') : `${apart} % of the index`],
            ['Contract size', `prices are of ${grouped(row.price_scale)} ${row.asset}`],
            ['Read', [time(row.observed_at_ms, utc(row.observed_at_ms, true)), ` ${span(app.now() - Number(row.observed_at_ms))} ago`,
                row.stale ? element('strong', ' stale: older than 180 s', {class: 'warn'}) : ''].filter(Boolean)],
            ...(others.length > 0 ? [['Also here', others.join(', ')]] : []),
        ]),
    ];
}

/** An asset over all exchanges of the list. */
export function coinDetails(app, rows, coin) {
    const edge = i => (i < 0 ? unknown('no linear contract has a fresh rate')
        : [rate(rows.column('funding_rate_8h')[i], 'per 8 h'), ` ${app.venueName(rows.column('venue')[i])} ${rows.column('symbol')[i]}`].flat());
    const apart = spread(coin, rows);
    const due = i => rows.column('next_funding_ms')[i];
    return [
        title(element('a', coin.asset, {href: app.address('asset', {}, coin.asset)}), ` at ${coin.byVenue.size} exchanges, ${coin.contracts} contracts `, watch(app, coin.asset)),
        facts([
            ['Highest', edge(coin.high)],
            ['Lowest', edge(coin.low)],
            ['Spread', apart === null ? unknown('there are not two rates') : `${exactRate(apart).replace('+', '')}${unit().apart} per 8 h`],
            ['Next settlement', coin.next < 0 ? unknown('no contract announces one')
                : [time(due(coin.next), utc(due(coin.next))), ` ${until(due(coin.next), app.now())} ${app.venueName(rows.column('venue')[coin.next])}`]],
        ]),
    ];
}

/** An exchange that is not in the observation. */
export function absentDetails({title: name, venue, absent}) {
    return [
        title(element('a', name, {href: `#/exchanges?find=${encodeURIComponent(venue)}`}), ' is missing'),
        facts([
            ['Reason', absent.reason],
            ['Last rows', absent.since_ms === null ? 'never yet' : time(absent.since_ms, utc(absent.since_ms))],
        ]),
    ];
}

/** An asset that an exchange does not list. */
export function emptyDetails(coin, {title: name, reason}) {
    return [title(`${coin.asset} at ${name}`), element('p', reason ?? 'No contract in this list: the exchange has none, or the filter holds it back.')];
}
