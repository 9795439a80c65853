// The ranking of pairs, in the order in which the service ranks them.

import {grouped, percent, utc} from './figures.js';
import {body, element, head, unknown} from './table.js';
import {rate} from './rates.js';

const SHOWN = 25;

const COLUMNS = [
    {title: 'Rank', number: true},
    {title: 'Asset'},
    {title: 'Short leg', hint: 'received the funding difference'},
    {title: 'Long leg'},
    {number: true, title: 'Over 30 days', hint: 'percent of notional: the short leg\'s sum less the long leg\'s'},
    {number: true, title: 'Short\'s sum'},
    {number: true, title: 'Long\'s sum'},
    {number: true, title: 'Days positive', hint: 'of 30'},
    {number: true, title: 'Now', hint: 'percent of notional per 8 hours'},
    {number: true, title: 'Estimated', hint: 'settlements that rest on our last reading before them, not on what the exchange settled'},
];

/** Draws the first pairs, and says in words how many there are and of which window. */
export function draw(table, carry) {
    const shown = carry.rows.slice(0, SHOWN);
    head(table, COLUMNS, null);
    body(table, shown.map(drawn));
    const counts = `${grouped(carry.complete_count)} complete pairs, ${grouped(shown.length)} shown; `
        + `${grouped(carry.incomplete_count)} have fewer than 30 whole days, ${grouped(carry.refused_count)} have prices that do not agree or are not known. `;
    return counts + `Window: ${utc(carry.window_start_ms)} to ${utc(carry.window_end_ms)}.`;
}

function drawn(pair) {
    return element('tr', [
        element('td', pair.rank, {class: 'number'}),
        element('th', pair.asset, {scope: 'row'}),
        leg(pair.short),
        leg(pair.long),
        rate(pair.funding_difference_30d, 3, 'it is not complete'),
        rate(pair.short.funding_sum_30d, 3, 'it is not complete'),
        rate(pair.long.funding_sum_30d, 3, 'it is not complete'),
        pair.positive_days === null ? unknown('not counted') : element('td', pair.positive_days, {class: 'number'}),
        now(pair),
        element('td', `${grouped(pair.short.estimated)} + ${grouped(pair.long.estimated)}`, {class: 'number'}),
    ]);
}

function leg(one) {
    return element('td', [element('span', one.venue, {class: 'venue'}), ' ', element('span', one.symbol, {class: 'symbol'})]);
}

function now(pair) {
    if (pair.current_difference_8h === null) {
        return unknown('a leg has no row or no 8-hour rate in the current observation');
    }
    const cell = rate(pair.current_difference_8h, 5, '');
    if (pair.current_direction_agrees === false) {
        cell.append(' ', element('strong', 'turned', {class: 'stale', title: 'now the other way round than over 30 days'}));
    }
    return cell;
}
