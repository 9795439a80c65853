// The table of the latest rates: filtered and sorted here, from the one list that holds everything.

import {grouped, percent, span, utc} from './figures.js';
import {body, element, head, ordered, unknown} from './table.js';

const STEP = 200;

const KINDS = {
    estimate: ['estimate', 'still moves until it is charged'],
    fixed: ['fixed', 'will be charged at the next settlement'],
    last_settled: ['last settled', 'has been charged already'],
    continuous: ['continuous', 'accrues all the time'],
};

const number = field => row => (row[field] === null ? null : Number(row[field]));
const word = field => row => row[field];

const COLUMNS = [
    {key: 'asset', title: 'Asset', by: word('asset')},
    {key: 'venue', title: 'Exchange', by: word('venue')},
    {key: 'rate', number: true, title: '8-hour rate', by: number('funding_rate_8h'), hint: 'percent of notional per 8 hours; longs pay shorts when positive'},
    {key: 'symbol', title: 'Symbol', by: word('symbol')},
    {key: 'every', number: true, title: 'Every', by: number('funding_interval_h'), hint: 'hours between two settlements of this contract'},
    {key: 'year', number: true, title: 'Annualised', by: number('funding_rate_annualised'), hint: 'percent per 365 days: simple, hypothetical, no forecast'},
    {key: 'next', number: true, title: 'Next funding', by: number('next_funding_ms'), hint: 'as the exchange announces it'},
    {key: 'price', number: true, title: 'Mark price', by: number('mark_price'), hint: 'in the quote currency, for as many coins as × coins says'},
    {key: 'scale', number: true, title: '× coins', by: number('price_scale'), hint: 'coins that one priced unit stands for'},
    {key: 'kind', title: 'Rate is', by: word('rate_kind'), hint: 'what the figure stands for at this exchange'},
    {key: 'read', number: true, title: 'Read', by: number('observed_at_ms'), hint: 'how long ago this contract was read'},
];
const FALLING_FIRST = new Set(['rate', 'year', 'price', 'read']);

/** What the table shows, kept in the address after # so that a view can be passed on. */
export class View {
    constructor(hash) {
        const kept = new URLSearchParams(hash.replace(/^#/, ''));
        this.asset = kept.get('asset') ?? '';
        this.venue = kept.get('venue') ?? '';
        this.kind = kept.get('kind') ?? '';
        this.sort = {
            key: COLUMNS.some(column => column.key === kept.get('sort')) ? kept.get('sort') : 'rate',
            down: kept.get('order') !== 'up',
        };
        this.limit = STEP;
    }

    get hash() {
        const kept = new URLSearchParams();
        for (const name of ['asset', 'venue', 'kind']) {
            if (this[name]) {
                kept.set(name, this[name]);
            }
        }
        kept.set('sort', this.sort.key);
        kept.set('order', this.sort.down ? 'down' : 'up');
        return `#${kept}`;
    }

    by(key) {
        this.sort = {key, down: this.sort.key === key ? !this.sort.down : FALLING_FIRST.has(key)};
        this.limit = STEP;
    }

    more() {
        this.limit += STEP;
    }

    /** The rows that are asked for, in order. */
    rows(all) {
        const named = this.asset.trim().toUpperCase();
        const held = all.filter(row =>
            (!this.venue || row.venue === this.venue)
            && (!this.kind || row.rate_kind === this.kind)
            && (!named || row.asset.toUpperCase().startsWith(named) || row.symbol.toUpperCase().includes(named)));
        const column = COLUMNS.find(one => one.key === this.sort.key);
        const byName = (a, b) => compare(a.asset, b.asset) || compare(a.venue, b.venue) || compare(a.symbol, b.symbol);
        const sorted = ordered(held, column.by, this.sort.down, byName);
        // The asset itself stands before those that only begin like it.
        return named ? [...sorted.filter(row => row.asset.toUpperCase() === named), ...sorted.filter(row => row.asset.toUpperCase() !== named)] : sorted;
    }
}

function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

/** Draws the view of all rows; how many are shown and how many are not is told in words. */
export function draw(table, all, view, now, sorted) {
    const rows = view.rows(all);
    const shown = rows.slice(0, view.limit);
    head(table, COLUMNS, view.sort, sorted);
    body(table, shown.map(row => drawn(row, now)));
    if (rows.length === 0) {
        body(table, [element('tr', element('td', 'No contract in this list fits the filter.', {colspan: COLUMNS.length}))]);
    }
    const hidden = rows.length - shown.length;
    return {
        hidden,
        words: `${grouped(shown.length)} of ${grouped(all.length)} contracts shown`
            + (rows.length < all.length ? `, ${grouped(all.length - rows.length)} filtered out` : '')
            + (hidden > 0 ? `, ${grouped(hidden)} further down` : ''),
    };
}

function drawn(row, now) {
    const [kind, meaning] = KINDS[row.rate_kind] ?? [row.rate_kind, ''];
    const stale = row.stale === true;
    return element('tr', [
        element('th', row.asset, {scope: 'row'}),
        element('td', row.venue),
        rate(row.funding_rate_8h, 5, 'the exchange published no rate, or not the hours that it covers'),
        element('td', row.symbol, {class: 'symbol'}),
        figure(row.funding_interval_h, hours => `${hours} h`, 'the exchange did not publish its interval'),
        rate(row.funding_rate_annualised, 2, 'there is no 8-hour rate to extend'),
        next(row, now),
        figure(row.mark_price, price => [price, ' ', element('span', row.quote, {class: 'quote'})], 'the exchange published no mark price'),
        element('td', row.price_scale, {class: row.price_scale === '1' ? 'number plain' : 'number many'}),
        element('td', kind, {title: meaning}),
        element('td', [span(now - Number(row.observed_at_ms)) + ' ago', ...(stale ? [' ', element('strong', 'stale', {class: 'stale'})] : [])], {
            class: 'number', title: utc(row.observed_at_ms, true),
        }),
    ], {class: stale ? 'is-stale' : undefined});
}

/** A fraction of notional as percent; the fraction itself is in the title. */
export function rate(fraction, digits, why) {
    if (fraction === null) {
        return unknown(why);
    }
    const shown = percent(fraction, digits);
    const sign = shown.startsWith('−') ? 'negative' : shown.startsWith('+') ? 'positive' : 'zero';
    return element('td', shown, {class: `number ${sign}`, title: `${fraction} of notional`});
}

function figure(value, shown, why) {
    return value === null ? unknown(why) : element('td', shown(value), {class: 'number'});
}

function next(row, now) {
    if (row.next_funding_ms === null) {
        return unknown('the exchange did not announce it');
    }
    const at = Number(row.next_funding_ms);
    const until = at - now;
    return element('td', element('time', until < 0 ? `was due ${span(-until)} ago` : `in ${span(until)}`, {
        datetime: new Date(at).toISOString(), title: utc(at),
    }), {class: 'number'});
}
