// When contracts settle next.

import {element, time} from './dom.js';
import {clock, span} from './figures.js';

/** Lists the instants of the next settlements, the nearest first, with the exchanges of each. */
export function drawSettlements(list, rows, now, venueName) {
    const due = new Map();
    for (const row of rows.filter(one => one.next_funding_ms !== null)) {
        due.set(row.next_funding_ms, [...(due.get(row.next_funding_ms) ?? []), row]);
    }
    const none = rows.filter(row => row.next_funding_ms === null).length;
    list.replaceChildren(
        ...[...due].sort(([a], [b]) => a - b).map(([at, held]) => element('li', [
            element('b', time(at, `${clock(at)} UTC`)), ' ',
            element('span', at < now ? `was due ${span(now - at)} ago` : `in ${span(at - now)}`, {class: 'quiet'}),
            ` · ${held.length} ${held.length === 1 ? 'contract' : 'contracts'}: `,
            [...new Set(held.map(row => venueName(row.venue)))].join(', '),
        ])),
        ...(none > 0 ? [element('li', `${none} ${none === 1 ? 'contract announces' : 'contracts announce'} no next settlement.`, {class: 'quiet'})] : []));
}
