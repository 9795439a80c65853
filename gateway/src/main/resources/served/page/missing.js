// What the list does not contain, and why.

import {grouped, utc} from './figures.js';
import {body, element, head} from './table.js';

const VENUES = [{title: 'Exchange'}, {title: 'Reason'}, {title: 'Last rows'}];
const LEFT = [{title: 'Reason'}, {title: 'Rows', number: true}, {title: 'Exchanges'}];

/** Draws all of it. */
export function draw(page, missing) {
    const absent = missing.venues;
    page.venuesNone.textContent = absent.length === 0
        ? 'Every exchange of this list has rows.'
        : `${absent.length} exchange${absent.length === 1 ? ' has' : 's have'} no row.`;
    page.region.hidden = absent.length === 0;
    head(page.venues, VENUES, null);
    body(page.venues, absent.map(one => element('tr', [
        element('th', one.venue, {scope: 'row'}),
        element('td', one.reason),
        element('td', one.since_ms === null ? 'never yet' : utc(one.since_ms)),
    ])));

    const reasons = new Map();
    for (const left of missing.symbols) {
        const counted = reasons.get(left.reason) ?? {rows: 0, venues: []};
        counted.rows += Number(left.count);
        counted.venues.push(`${left.venue} ${grouped(left.count)}`);
        reasons.set(left.reason, counted);
    }
    const rows = [...reasons].sort(([, a], [, b]) => b.rows - a.rows);
    page.rows.textContent = rows.length === 0
        ? 'No contract is left out, and every figure is there'
        : `Contracts left out, and figures not published: ${rows.length} reasons`;
    head(page.left, LEFT, null);
    body(page.left, rows.map(([reason, counted]) => element('tr', [
        element('th', reason.replaceAll('_', ' '), {scope: 'row'}),
        element('td', grouped(counted.rows), {class: 'number'}),
        element('td', counted.venues.join(', ')),
    ])));
    page.kinds.textContent = missing.kinds.length === 0
        ? ''
        : `Not returned yet in this release: ${missing.kinds.map(kind => kind.kind.replaceAll('_', ' ')).join(', ')}.`;
}
