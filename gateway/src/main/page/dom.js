// Elements from text. Nothing here takes markup: the page's policy has no place for it.

import {local} from './figures.js';

function made(node, content, attributes) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== null && value !== false) {
            node.setAttribute(key, value === true ? '' : value);
        }
    }
    node.append(...[content].flat().filter(part => part !== null && part !== undefined && part !== false && part !== ''));
    return node;
}

/** An element with its text or children, and attributes; an attribute without a value is left out. */
export function element(name, content, attributes = {}) {
    return made(document.createElement(name), content, attributes);
}

/** The same of a drawing; the page has one to tell the namespace. */
export function shape(name, attributes = {}, content = null) {
    return made(document.createElementNS($('asset-strip').namespaceURI, name), content, attributes);
}

/** The element of this id. */
export const $ = id => document.getElementById(id);

/** Sets a text where it differs, so that what has not changed is neither drawn nor read out again. */
export function put(node, text) {
    const held = node.firstChild;
    if (held?.nodeType === Node.TEXT_NODE && held === node.lastChild) {
        if (held.data !== text) {
            held.data = text;
        }
    } else if (node.textContent !== text) {
        node.textContent = text;
    }
}

/** A button that does something. */
export function button(content, action, attributes = {}) {
    const node = element('button', content, {type: 'button', ...attributes});
    node.addEventListener('click', action);
    return node;
}

/** A button that copies a text and says so. */
export function copyButton(text, what) {
    const node = button('Copy', async () => {
        try {
            await navigator.clipboard.writeText(text());
            node.textContent = 'Copied';
        } catch {
            node.textContent = 'Select it and copy';
        }
        setTimeout(() => (node.textContent = 'Copy'), 2000);
    }, {class: 'copy', 'aria-label': `Copy ${what}`});
    return node;
}

/** A time in UTC with the same instant on this machine's clock, and for programs. */
export function time(epochMs, shown) {
    const here = local(epochMs);
    return element('time', [shown, here && element('small', ` ${here}`, {class: 'local'})], {datetime: new Date(Number(epochMs)).toISOString()});
}

/** A dash for what is not known, with the reason for those who cannot point at it. */
export function unknown(why) {
    return element('span', ['–', element('span', ` not known: ${why}`, {class: 'aside'})], {class: 'unknown', title: why});
}

/**
 * The headings of a table, those that sort as buttons.
 *
 * @param {HTMLTableElement} table
 * @param {{key?: string, title: string, number?: boolean, hint?: string, class?: string}[]} columns
 * @param {{key: string, down: boolean}|null} sort
 * @param {(key: string) => void} [sorted] takes the key of a heading that was used
 */
export function headings(table, columns, sort, sorted) {
    const focused = table.tHead?.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const row = element('tr', columns.map(column => {
        const active = sort && column.key === sort.key;
        const content = column.key && sorted
            ? button(column.title, () => sorted(column.key), {'data-key': column.key, title: column.hint})
            : element('span', column.title, {title: column.hint});
        return element('th', content, {
            scope: 'col',
            class: [column.number ? 'number' : '', column.class ?? ''].join(' ').trim() || null,
            'aria-sort': active ? (sort.down ? 'descending' : 'ascending') : null,
        });
    }));
    table.tHead.replaceChildren(row);
    if (focused) {
        row.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
}

/** What the columns of a table mean, in words that need no pointing. */
export function explain(list, columns) {
    if (list.dataset.titles !== columns.map(column => column.title).join()) {
        list.dataset.titles = columns.map(column => column.title).join();
        list.replaceChildren(...columns.filter(column => column.hint).map(column =>
            element('div', [element('dt', column.title), element('dd', column.hint)])));
    }
}

/** Orders rows by what a function finds in each; what has nothing to be ordered by comes last either way. */
export function orderedBy(rows, by, down) {
    return rows.map(row => [by(row), row]).sort(([a, x], [b, y]) => {
        const [none, other] = [a === null || Number.isNaN(a), b === null || Number.isNaN(b)];
        if (none || other) {
            return none === other ? 0 : none ? 1 : -1;
        }
        return a < b ? (down ? 1 : -1) : a > b ? (down ? -1 : 1) : 0;
    }).map(([, row]) => row);
}
