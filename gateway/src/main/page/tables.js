// Tables whose columns are written once: what a heading is called and means, what it orders by, and what a cell shows.

import {button, element} from './dom.js';
import {withUnit} from './units.js';

/** A cell of another class than that of its column. */
export const cell = (content, className) => element('td', content, {class: className});

/** A field as a number to order by; null where it is not known. */
export const number = field => row => (row[field] === null ? null : Number(row[field]));

/**
 * Draws a table and returns its rows in the order that the address asks for.
 *
 * A column is {key, title, hint, rate, number, tone, by, down, cell}. `cell` takes a row and `about`; the first cell heads its row. `tone`
 * is a class of its cells. A column with `by` orders, the largest first where it is `down`. Headings of rates have the unit.
 */
export function drawTable(table, meanings, columns, rows, {options, usual, change, about, attributes = () => ({})}) {
    const ordering = key => columns.find(one => one.by && one.key === key);
    const column = ordering(options.get('sort')) ?? ordering(usual);
    const down = column && (options.get('order') ?? (column.down ? 'down' : 'up')) === 'down';
    const titled = withUnit(columns);
    explain(meanings, titled);
    headings(table, titled, column?.key, down, used => {
        const to = columns.find(one => one.key === used);
        change({sort: used, order: (used === column.key ? !down : to.down === true) ? 'down' : 'up'});
    });
    const ordered = column ? orderedBy(rows, column.by, down) : rows;
    table.tBodies[0].replaceChildren(...ordered.map(row => element('tr', columns.map((one, k) => {
        const content = one.cell(row, about);
        return content instanceof HTMLTableCellElement ? content
            : element(k === 0 ? 'th' : 'td', content, {scope: k === 0 ? 'row' : null, class: [one.number && 'number', one.tone].filter(Boolean).join(' ') || null});
    }), attributes(row))));
    return ordered;
}

/** Headings that order are buttons; one that has the focus keeps it. */
function headings(table, columns, sort, down, used) {
    const focused = table.tHead.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const row = element('tr', columns.map(column => element('th', column.by
        ? button(column.title, () => used(column.key), {'data-key': column.key, title: column.hint})
        : element('span', column.title, {title: column.hint}), {
        scope: 'col',
        class: column.number ? 'number' : null,
        'aria-sort': column.by && column.key === sort ? (down ? 'descending' : 'ascending') : null,
    })));
    table.tHead.replaceChildren(row);
    if (focused) {
        row.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
}

/** What the columns mean, in words that need no pointing. */
function explain(list, columns) {
    const titles = columns.map(column => column.title).join();
    if (list.dataset.titles !== titles) {
        list.dataset.titles = titles;
        list.replaceChildren(...columns.filter(column => column.hint).map(column => element('div', [element('dt', column.title), element('dd', column.hint)])));
    }
}

/** What has nothing to be ordered by comes last either way; `tie` orders what is equal. */
export function orderedBy(rows, by, down, tie = () => 0) {
    return rows.map(row => [by(row), row]).sort(([a, x], [b, y]) => {
        const [none, other] = [a, b].map(value => value === null || Number.isNaN(value));
        const order = none || other ? none - other : (a < b ? -1 : Number(a > b)) * (down ? -1 : 1);
        return order || tie(x, y);
    }).map(([, row]) => row);
}
