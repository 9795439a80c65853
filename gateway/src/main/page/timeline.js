// When contracts settle next: one stem for each instant, as high as there are contracts.

import {element, shape, time} from './dom.js';
import {clock, span, utc} from './figures.js';

const HOUR = 3_600_000;
const HEIGHT = 96;
const BASE = 74;
const EDGE = 16;

/**
 * Contracts by the instant of their next settlement, the nearest first.
 *
 * @param {{next_funding_ms: string|null}[]} rows
 * @returns {{at: number, rows: object[]}[]}
 */
export function instants(rows) {
    const found = new Map();
    for (const row of rows) {
        if (row.next_funding_ms !== null) {
            const at = Number(row.next_funding_ms);
            found.set(at, [...(found.get(at) ?? []), row]);
        }
    }
    return [...found].map(([at, held]) => ({at, rows: held})).sort((a, b) => a.at - b.at);
}

/** Draws the line, and the same as a list. */
export function timeline(drawing, list, rows, now, venueName) {
    const due = instants(rows);
    const none = rows.length - due.reduce((sum, one) => sum + one.rows.length, 0);
    drawing.replaceChildren();
    drawing.setAttribute('aria-label', `Next settlements at ${due.length} instants; the list below names them`);
    if (due.length > 0) {
        draw(drawing, due, now);
    }
    list.replaceChildren(
        ...due.map(({at, rows: held}) => element('li', [
            element('b', time(at, `${clock(at)} UTC`)), ' ',
            element('span', at < now ? `was due ${span(now - at)} ago` : `in ${span(at - now)}`, {class: 'quiet'}),
            ` · ${held.length} ${held.length === 1 ? 'contract' : 'contracts'}: `,
            [...new Set(held.map(row => venueName(row.venue)))].join(', '),
        ])),
        ...(none > 0 ? [element('li', `${none} ${none === 1 ? 'contract announces' : 'contracts announce'} no next settlement.`, {class: 'quiet'})] : []));
}

function draw(drawing, due, now) {
    const width = Math.max(280, drawing.parentElement.clientWidth);
    const first = Math.min(now, due[0].at);
    const last = Math.max(due.at(-1).at, first + HOUR);
    const at = ms => EDGE + (ms - first) / (last - first) * (width - 2 * EDGE - 30);
    const most = Math.max(...due.map(one => one.rows.length));
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    drawing.setAttribute('width', width);
    drawing.setAttribute('height', HEIGHT);
    drawing.append(shape('line', {x1: at(first), x2: at(last), y1: BASE, y2: BASE, class: 'axis'}));
    const step = [1, 2, 4, 8, 24].find(hours => (last - first) / HOUR / hours <= width / 70) ?? 48;
    for (let hour = Math.ceil(first / HOUR / step) * step * HOUR; hour <= last; hour += step * HOUR) {
        drawing.append(
            shape('line', {x1: at(hour), x2: at(hour), y1: BASE, y2: BASE + 5, class: 'axis'}),
            shape('text', {x: at(hour), y: BASE + 18, class: 'mark'}, clock(hour)));
    }
    drawing.append(shape('line', {x1: at(now), x2: at(now), y1: 14, y2: BASE + 5, class: 'now'}),
        shape('text', {x: at(now) + 4, y: 12, class: 'mark left'}, 'now'));
    for (const one of due) {
        const x = at(one.at);
        const top = BASE - 8 - one.rows.length / most * (BASE - 34);
        drawing.append(shape('g', {class: 'stem'}, [
            shape('title', {}, `${utc(one.at)}: ${one.rows.length} contracts`),
            shape('line', {x1: x, x2: x, y1: BASE, y2: top}),
            shape('circle', {cx: x, cy: top, r: 4}),
            shape('text', {x: x + 7, y: top + 4}, String(one.rows.length)),
        ]));
    }
}
