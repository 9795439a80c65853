// When contracts settle next.

import {element, time} from './dom.js';
import {clock, until} from './figures.js';

/** Lists the instants of the next settlements, the nearest first, with the exchanges of each. */
export function drawSettlements(list, rows, now, venueName) {
    const due = Map.groupBy(rows.filter(one => one.next_funding_ms !== null), row => row.next_funding_ms);
    const none = rows.filter(row => row.next_funding_ms === null).length;
    list.replaceChildren(
        ...[...due].sort(([a], [b]) => a - b).map(([at, held]) => element('li', [
            element('b', time(at, `${clock(at)} UTC`)), ' ',
            element('span', until(at, now), {class: 'quiet'}),
            ` · ${held.length} ${held.length === 1 ? 'contract' : 'contracts'}: `,
            [...new Set(held.map(row => venueName(row.venue)))].join(', '),
        ])),
        ...(none > 0 ? [element('li', `${none} ${none === 1 ? 'contract announces' : 'contracts announce'} no next settlement.`, {class: 'quiet'})] : []));
}
